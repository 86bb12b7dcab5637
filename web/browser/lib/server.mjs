// Starts the real binary in a home of its own; ends it by its process id.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Rest } from './rest.mjs';

const START_MS_MAX = 30_000;
const LOG_CHARS_SHOWN = 2000;
const running = new Set();

// Whatever ends this process ends what it started.
export const endAll = () => running.forEach((server) => server.remove());
process.on('exit', endAll);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

function binary() {
  const named = process.env['WIIIV_BIN'];
  if (!named) throw new Error('WIIIV_BIN names no server; `cargo xtask test` sets it');
  return named;
}

/** A process with its folder; `ready` is the document that it printed first. */
export class Server {
  #arguments;
  #environment;
  #child = null;
  #port = 0;
  ready = null;

  constructor(command, environment = {}) {
    this.home = mkdtempSync(join(tmpdir(), 'wiiiv-browser-'));
    this.#environment = environment;
    const data = ['--data-dir', join(this.home, 'data')];
    if (command === 'demo') this.#arguments = (port) => ['demo', '--json', '--port', `${port}`, ...data];
    else this.#arguments = (port) => ['serve', '--json', '--listen', `127.0.0.1:${port}`, ...data];
    writeFileSync(join(this.home, 'key'), randomBytes(32).toString('hex'), { mode: 0o600 });
    running.add(this);
  }

  get #log() {
    return join(this.home, 'log');
  }

  get url() {
    return this.ready.url;
  }

  /** Where it was before, if it was anywhere. */
  async start() {
    const child = spawn(binary(), this.#arguments(this.#port), {
      cwd: this.home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: this.home,
        XDG_STATE_HOME: join(this.home, 'state'),
        XDG_CONFIG_HOME: join(this.home, 'config'),
        WIIIV_MASTER_KEY_FILE: join(this.home, 'key'),
        ...this.#environment,
      },
    });
    this.#child = child;
    child.once('exit', (code, signal) => this.#tellOfEnd(child, code ?? signal));
    child.stderr.pipe(createWriteStream(this.#log, { flags: 'a' }));
    try {
      this.ready = JSON.parse(await firstLine(child));
    } catch (error) {
      throw new Error(`${error.message}: ${this.#lastOfLog()}`);
    }
    this.#port = Number(new URL(this.ready.url).port);
    return this;
  }

  #lastOfLog() {
    return readFileSync(this.#log, 'utf8').slice(-LOG_CHARS_SHOWN);
  }

  /** A test meets only a connection that failed. */
  #tellOfEnd(child, how) {
    if (child.killed || !running.has(this)) return;
    console.error(`the server of ${this.home} ended with ${how}: ${this.#lastOfLog()}`);
  }

  /** As a power cut ends it: nothing is said, nothing is put in order. */
  async kill() {
    const child = this.#child;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async restart() {
    await this.kill();
    return this.start();
  }

  remove() {
    running.delete(this);
    this.#child?.kill('SIGKILL');
    rmSync(this.home, { recursive: true, force: true });
  }
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the server does not start')), START_MS_MAX);
    const done = (act, value) => {
      clearTimeout(late);
      act(value);
    };
    child.once('error', (error) => done(reject, error));
    child.once('exit', (code) => done(reject, new Error(`the server ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', (line) => done(resolve, line));
  });
}

const PASSWORD = 'correct horse battery';

/** The demo, with a client for its one user. */
export async function startDemo(environment) {
  const server = await new Server('demo', environment).start();
  server.rest = await Rest.ofTokenFile(server.url, server.ready.token_file);
  server.project = server.ready.project;
  return server;
}

/** A server that was set up: `admin` with a client and a project of her own. */
export async function startServed(environment) {
  const server = await new Server('serve', environment).start();
  server.admin = await setUp(server, 'admin');
  return server;
}

async function setUp(server, name) {
  const body = { token: server.ready.setup_token, name, password: PASSWORD };
  const made = await new Rest(server.url).post('/setup', body);
  return person(server, name, made);
}

function person(server, name, loggedIn) {
  const { user, token, personal_project: project } = loggedIn;
  return { name, password: PASSWORD, user, project, rest: new Rest(server.url, token) };
}

/** Somebody with an account and a personal project. */
export async function makePerson(server, name) {
  await server.admin.rest.post('/users', { name, password: PASSWORD });
  const body = { name, password: PASSWORD };
  return person(server, name, await new Rest(server.url).post('/auth/login', body));
}

/** Gives somebody that one role in the administrator's project. */
export async function giveRole(server, user, role) {
  const members = `/projects/${server.admin.project}/members`;
  const { response } = await server.admin.rest.call('GET', members);
  const match = { 'If-Match': response.headers.get('etag') };
  await server.admin.rest.call('PUT', `${members}/${user}`, { roles: [role] }, match);
}

/** Somebody with a role in the administrator's project. */
export async function makeMember(server, name, role) {
  const made = await makePerson(server, name);
  await giveRole(server, made.user, role);
  return made;
}

/** Started by the first who asks, ended with the file's process. */
export function shared(start) {
  let started = null;
  return () => (started ??= start());
}
