// A file goes to the server by a request that tells how much of it has gone.

import { ApiProblem, BASE, newKey, noticeSignedOut, ownHeaders, send } from '../../api/client';
import type { IngestJob } from './calls';
import { ingestPath } from './places';

interface Way {
  /** Bytes that have gone so far. */
  onsent: (bytes: number) => void;
  signal: AbortSignal;
}

interface Answer {
  status: number;
  body: unknown;
}

const UNAUTHORIZED = 401;

export async function sendFile(scope: string, file: File, way: Way): Promise<IngestJob> {
  const address = `${BASE}${ingestPath(scope)}?name=${encodeURIComponent(file.name)}`;
  const headers = {
    ...ownHeaders(),
    'Idempotency-Key': newKey(),
    'Content-Type': file.type || 'application/octet-stream',
  };
  const first = await sent(address, headers, file, way);
  // The page key may be of an older sign-in: the way of all other requests finds the newer one.
  const { status, body } = first.status === UNAUTHORIZED ? await sentAgain(address, headers, file, way) : first;
  if (status >= 200 && status < 300) return body as IngestJob;
  const problem = ApiProblem.ofBody(body, status);
  noticeSignedOut(problem);
  throw problem;
}

function sent(address: string, headers: Record<string, string>, file: File, { onsent, signal }: Way): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (): void => reject(ApiProblem.local('UNREACHABLE'));
    request.open('POST', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded }) => onsent(loaded);
    request.onload = () => resolve({ status: request.status, body: request.response as unknown });
    request.onerror = fail;
    request.onabort = fail;
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

async function sentAgain(address: string, headers: Record<string, string>, file: File, { signal }: Way): Promise<Answer> {
  try {
    const response = await send(new Request(address, { method: 'POST', headers, body: file, signal }));
    return { status: response.status, body: await response.json().catch(() => null) };
  } catch {
    throw ApiProblem.local('UNREACHABLE');
  }
}
