// The typed client: cookie and page key, idempotency keys, problems as exceptions.

import createClient, { type Middleware } from 'openapi-fetch';
import { ApiProblem } from './problem';
import type { components, paths } from './schema';

export { ApiProblem } from './problem';
export type Schemas = components['schemas'];
export const BASE = '/api/v2';

const UNAUTHORIZED = 401;
const PAGE_KEY = 'X-Page-Key';

let key: string | null = null;
let language = 'en';
let onSignedOut: () => void = () => undefined;
let renew: () => Promise<boolean> = async () => false;

export const session = {
  /** The page key; `null`: nobody is signed in. */
  remember(pageKey: string | null): void {
    key = pageKey;
  },
  speak(tag: string): void {
    language = tag;
  },
  whenSignedOut(act: () => void): void {
    onSignedOut = act;
  },
  /** The page key is of an older sign-in: `true` once there is a newer one of the same person. */
  whenStale(act: () => Promise<boolean>): void {
    renew = act;
  },
};

/** A UUID of version 4. Over plain HTTP from another machine there is no `crypto.randomUUID`. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = [...bytes].map((byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  const hex = digits.join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Headers of every request. */
export function ownHeaders(): Record<string, string> {
  const headers: Record<string, string> = { 'Accept-Language': language };
  if (key !== null) headers[PAGE_KEY] = key;
  return headers;
}

const credentials: Middleware = {
  onRequest({ request }) {
    const headers = Object.entries(ownHeaders());
    for (const [name, value] of headers) request.headers.set(name, value);
    if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
      const open = new URL(request.url).pathname.startsWith(`${BASE}/auth/`);
      if (!open) request.headers.set('Idempotency-Key', newKey());
    }
    return request;
  },
  onError() {
    return ApiProblem.local('UNREACHABLE');
  },
};

/** A request whose page key is of an older sign-in is sent again with the one that holds now. */
export async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  if (response.status !== UNAUTHORIZED || !again.headers.has(PAGE_KEY)) return response;
  if (!(await renew()) || key === null) return response;
  again.headers.set(PAGE_KEY, key);
  return fetch(again);
}

export const api = createClient<paths>({ baseUrl: BASE, fetch: send });
api.use(credentials);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** What a call answered, or an `ApiProblem`: `const page = await ask(api.GET('/projects'))`. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  return (await askWhole(call)).data;
}

/** The same with the response beside it, for its headers (`ETag`). */
export async function askWhole<T>(
  call: Promise<Answer<T>>,
): Promise<{ data: T; response: Response }> {
  const { data, error, response } = await call;
  if (!response.ok) {
    const problem = ApiProblem.ofBody(error, response.status);
    noticeSignedOut(problem);
    throw problem;
  }
  return { data: data as T, response };
}

export function noticeSignedOut(problem: ApiProblem): void {
  if (problem.code === 'UNAUTHENTICATED') onSignedOut();
}

/** Bytes that are no JSON: outputs, exports. */
export async function download(
  path: string,
  accept = '*/*',
): Promise<{ blob: Blob; mediaType: string }> {
  const headers = { ...ownHeaders(), Accept: accept };
  let response: Response;
  try {
    response = await send(new Request(BASE + path, { headers }));
  } catch {
    throw ApiProblem.local('UNREACHABLE');
  }
  if (!response.ok) throw await ApiProblem.ofResponse(response);
  const mediaType =
    response.headers.get('X-Media-Type') ?? response.headers.get('Content-Type') ?? '';
  return { blob: await response.blob(), mediaType };
}

/** Hands bytes to the browser's downloads. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  const KEPT_MS = 10_000;
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
