// What a test does beside the browser: over REST, as any other client.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** `fetch` alone says of a connection only that it failed. */
async function reach(url, request) {
  try {
    return await fetch(url, request);
  } catch (error) {
    throw new Error(`${request.method} ${url}: ${error.cause ?? error}`, { cause: error });
  }
}

export class Rest {
  #base;
  #token;

  constructor(url, token = null) {
    this.#base = `${url}/api/v2`;
    this.#token = token;
  }

  static async ofTokenFile(url, file) {
    return new Rest(url, (await readFile(file, 'utf8')).trim());
  }

  async call(method, path, body, headers = {}) {
    const response = await reach(this.#base + path, {
      method,
      headers: {
        ...(this.#token ? { Authorization: `Bearer ${this.#token}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { response, text };
  }

  async get(path) {
    return JSON.parse((await this.call('GET', path)).text);
  }

  async post(path, body) {
    const { text } = await this.call('POST', path, body);
    return text === '' ? null : JSON.parse(text);
  }

  /** Gives a file for `users/ID`, `projects/ID` or `global`: its ingest, once that has ended. */
  async ingest(where, name, content) {
    const response = await reach(`${this.#base}/rag/${where}/ingest?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.#token}`,
        'Content-Type': 'application/octet-stream',
        'Idempotency-Key': randomUUID(),
      },
      body: content,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${name}: ${response.status} ${text}`);
    const { id } = JSON.parse(text);
    return eventually(async () => {
      const job = await this.get(`/rag/jobs/${id}`);
      return job.ended_at ? job : null;
    }, `the ingest of ${name}`);
  }

  async session(project) {
    return (await this.post(`/projects/${project}/sessions`, {})).id;
  }

  /** Number of the newest event seen, by session: a yes counts for what was seen alone. */
  newest = new Map();

  /** Says something and waits for the turn's end; the turn's events. */
  async say(session, text) {
    const stream = { Accept: 'text/event-stream' };
    const said = { text, seen: this.newest.get(session) };
    const told = await this.call('POST', `/sessions/${session}/messages`, said, stream);
    const data = told.text.matchAll(/^data: ?(.*)$/gm);
    const events = [...data].map(([, json]) => JSON.parse(json));
    for (const { seq } of events) if (seq !== undefined) this.newest.set(session, seq);
    return events;
  }

  /** A question that waits, from a session of its own. */
  async question(project, text) {
    const session = await this.session(project);
    const events = await this.say(session, text);
    const preview = events.find((event) => event.event === 'preview');
    if (!preview) throw new Error(`no question: ${JSON.stringify(events)}`);
    return { session, ...preview };
  }

  /** Puts a policy in force that differs by this. */
  async changePolicy(project, change) {
    const { response, text } = await this.call('GET', `/projects/${project}/policy`);
    const { policy } = JSON.parse(text);
    change(policy);
    const match = { 'If-Match': response.headers.get('etag') };
    await this.call('PUT', `/projects/${project}/policy`, { policy, reason: 'a test' }, match);
  }

  /** Proposes a policy that differs by this, for an hour. */
  async proposeOverride(project, reason, change) {
    const { response, text } = await this.call('GET', `/projects/${project}/policy`);
    const { policy } = JSON.parse(text);
    change(policy);
    const match = { 'If-Match': response.headers.get('etag') };
    const proposed = { policy, scope: 'window', ttl_seconds: 3600, reason };
    return JSON.parse((await this.call('POST', `/projects/${project}/overrides`, proposed, match)).text);
  }

  async executions(project) {
    return (await this.get(`/projects/${project}/executions`)).items;
  }
}

const LOOK_MS = 100;
const PATIENCE_MS = 60_000;

/** Asks again until there is an answer. */
export async function eventually(look, what = 'it') {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** A plan that was asked for and approved: its execution, and the session that it belongs to. */
export async function begun({ rest, project }, text) {
  const { session, approval, digest } = await rest.question(project, text);
  await rest.post(`/approvals/${approval}/approve`, { digest });
  return eventually(async () => {
    const { execution } = await rest.get(`/approvals/${approval}`);
    return execution ? { execution, session } : null;
  }, 'the run');
}
