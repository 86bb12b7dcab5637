// A model server of our own: slow or hostile on purpose, as an OpenAI-compatible one speaks.
import { createServer } from 'node:http';
import { once } from 'node:events';

/**
 * Answers each request with what `answer(request, nth)` gives: a text, and what is awaited before
 * its first word and in its middle.
 */
export class Model {
  requests = [];

  constructor(answer) {
    this.answer = answer;
  }

  async start() {
    this.server = createServer((request, response) => void this.serve(request, response));
    this.server.listen(0, '127.0.0.1').unref();
    await once(this.server, 'listening');
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** In a project's policy. */
  name(policy) {
    policy.llmProvider = 'CUSTOM';
    policy.llmBaseUrl = `${this.origin}/v1`;
  }

  async serve(request, response) {
    const asked = JSON.parse(await body(request));
    this.requests.push(asked);
    const { text, before, middle } = this.answer(asked, this.requests.length);
    const half = Math.ceil(text.length / 2);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    await before?.();
    for (const piece of pieces(text.slice(0, half))) response.write(piece);
    await middle?.();
    for (const piece of pieces(text.slice(half))) response.write(piece);
    response.end(`${data({}, 'stop')}data: ${JSON.stringify(USED)}\n\ndata: [DONE]\n\n`);
  }
}

const USED = {
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
};

const PIECE_CHARS = 24;

function* pieces(text) {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += PIECE_CHARS) {
    yield data({ content: characters.slice(at, at + PIECE_CHARS).join('') }, null);
  }
}

function data(delta, end) {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
}

async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** Talk, as a model proposes it. */
export function reply(message) {
  return JSON.stringify({ action: 'REPLY', taskType: 'CONVERSATION', message, slots: {} });
}

/** A file to be written. */
export function write(targetPath, content, message = '') {
  const slots = { targetPath, content };
  const taskSwitch = { kind: 'new' };
  return JSON.stringify({ action: 'EXECUTE', taskType: 'FILE_WRITE', message, slots, taskSwitch });
}

/** Opened by a test: a stream that waits in its middle. */
export class Gate {
  #open;
  #reached;
  constructor() {
    this.opened = new Promise((resolve) => (this.#open = resolve));
    this.reached = new Promise((resolve) => (this.#reached = resolve));
  }
  open() {
    this.#open();
  }
  async wait() {
    this.#reached();
    await this.opened;
  }
}

/** A question back, with words of the model's own before it. */
export function ask(message) {
  const slots = { targetPath: 'asked.md' };
  return JSON.stringify({ action: 'ASK', taskType: 'FILE_WRITE', message, slots, taskSwitch: { kind: 'new' } });
}

export function read(targetPath) {
  const taskSwitch = { kind: 'new' };
  return JSON.stringify({ action: 'EXECUTE', taskType: 'FILE_READ', message: '', slots: { targetPath }, taskSwitch });
}
