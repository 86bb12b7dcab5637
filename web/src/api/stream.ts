// Server-sent events over fetch: goes on after a break from the last event that was seen.

import { ApiProblem, BASE, noticeSignedOut, ownHeaders, send } from './client';

/** The server sends a sign of life every 15 s. */
const SILENCE_MS = 40_000;
const WAIT_MS_MIN = 400;
const WAIT_MS_MAX = 8_000;
const BUFFER_CHARS_MAX = 8_000_000;

export type LinkState = 'connecting' | 'live' | 'away';

export interface StreamEvent {
  id: string;
  name: string;
  data: string;
}

export interface Follow {
  /** Below the API's base, with its query. */
  path: string;
  /** Of the last event that was seen, asked at every connection; null before there was one. */
  lastId(): string | null;
  onEvent(event: StreamEvent): void;
  onState(state: LinkState): void;
  /** It cannot go on: signed out, gone, forbidden. */
  onEnd(problem: ApiProblem): void;
  signal: AbortSignal;
}

export async function follow(feed: Follow): Promise<void> {
  let tries = 0;
  feed.onState('connecting');
  while (!feed.signal.aborted) {
    const problem = await connect(feed, () => {
      tries = 0;
      feed.onState('live');
    });
    if (feed.signal.aborted) return;
    if (isFinal(problem)) {
      noticeSignedOut(problem);
      feed.onEnd(problem);
      return;
    }
    feed.onState('away');
    await pause(waitMs(tries++), feed.signal);
  }
}

function isFinal(problem: ApiProblem): boolean {
  return problem.status >= 400 && problem.status < 500 && problem.status !== 429;
}

function waitMs(tries: number): number {
  const most = Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** Math.min(tries, 10));
  return most * (0.5 + Math.random() / 2);
}

/** One connection, until it breaks. */
async function connect(feed: Follow, opened: () => void): Promise<ApiProblem> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    const response = await open(feed, AbortSignal.any([feed.signal, silence.signal]));
    if (!response.ok || !response.body) return await ApiProblem.ofResponse(response);
    opened();
    await read(response.body, alive, feed);
    return ApiProblem.local('UNREACHABLE');
  } catch {
    return ApiProblem.local('UNREACHABLE');
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function open(feed: Follow, signal: AbortSignal): Promise<Response> {
  const headers = ownHeaders();
  headers['Accept'] = 'text/event-stream';
  const last = feed.lastId();
  if (last !== null) headers['Last-Event-ID'] = last;
  return send(new Request(BASE + feed.path, { headers, signal, cache: 'no-store' }));
}

async function read(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
  feed: Follow,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done || feed.signal.aborted) return;
    alive();
    buffer += decoder.decode(value, { stream: true });
    const blocks = buffer.split(/\r?\n\r?\n/);
    buffer = blocks.pop() ?? '';
    if (buffer.length > BUFFER_CHARS_MAX) return;
    for (const block of blocks) {
      const event = parse(block);
      if (event) feed.onEvent(event);
    }
  }
}

function parse(block: string): StreamEvent | null {
  const event: StreamEvent = { id: '', name: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith(':')) continue;
    const at = line.indexOf(':');
    const field = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (field === 'id') event.id = value;
    else if (field === 'event') event.name = value;
    else if (field === 'data') data.push(value);
  }
  event.data = data.join('\n');
  return data.length > 0 ? event : null;
}

/** Shorter where the network comes back or the signal says stop. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', over);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    window.addEventListener('online', over);
    signal?.addEventListener('abort', over);
  });
}
