// Files on their way into one scope: sent from here, then read by the server. They go on while another screen is open.

import { ApiProblem, newKey } from '../../api/client';
import { pause } from '../../api/stream';
import { me } from '../../state/me.svelte';
import { cancelJob, jobsOf, type IngestJob } from './calls';
import { isOver } from './rows';
import { sendFile } from './upload';

/** A browser has six connections for all that its pages ask. */
const AT_ONCE = 2;
const JOBS_MAX = 100;
/** How long the queue of the server is given where it does not say. */
const AGAIN_SECONDS = 5;
/** Between two looks where nothing is on its way: another page may send something. */
const IDLE_MS = 15_000;
const TOO_MANY = 429;

/** A file that has not got there. */
export class Sending {
  readonly key = newKey();
  readonly file: File;
  readonly stop = new AbortController();
  readonly isTooLarge: boolean;
  /** Bytes. */
  sent = $state(0);
  isBegun = $state(false);
  problem = $state.raw<ApiProblem | null>(null);

  constructor(file: File, bytesMax: number) {
    this.file = file;
    this.isTooLarge = file.size > bytesMax;
  }

  get isRefused(): boolean {
    return this.isTooLarge || this.problem !== null;
  }
}

export class Ingests {
  readonly scope: string;
  sending = $state.raw<readonly Sending[]>([]);
  jobs = $state.raw<readonly IngestJob[]>([]);
  problem = $state.raw<ApiProblem | null>(null);
  /** How many have become documents while somebody looked. */
  ready = $state(0);
  /** Nothing is sent in somebody else's name. */
  readonly #user = me.person?.user;
  /** Seen on their way. */
  readonly #followed = new Set<string>();
  #busy = 0;
  #looks = 0;
  #lookedAt = 0;

  constructor(scope: string) {
    this.scope = scope;
  }

  get isSending(): boolean {
    return this.sending.some((one) => !one.isRefused);
  }

  get isOpen(): boolean {
    return this.isSending || this.jobs.some((job) => !isOver(job));
  }

  /** Newest first. */
  get followed(): readonly IngestJob[] {
    return this.jobs.filter(({ id }) => this.#followed.has(id));
  }

  /** Over before anybody looked. */
  get earlier(): readonly IngestJob[] {
    return this.jobs.filter(({ id }) => !this.#followed.has(id));
  }

  add(files: readonly File[], bytesMax: number): void {
    this.sending = [...this.sending, ...files.map((file) => new Sending(file, bytesMax))];
    for (let nth = 0; nth < AT_ONCE; nth += 1) void this.#next();
  }

  again(one: Sending): void {
    [one.problem, one.isBegun, one.sent] = [null, false, 0];
    void this.#next();
  }

  /** It is not sent, or no longer shown. */
  dismiss(one: Sending): void {
    one.stop.abort();
    this.sending = this.sending.filter((other) => other !== one);
  }

  async cancel(job: IngestJob): Promise<void> {
    try {
      this.#put(await cancelJob(job.id));
    } catch (error) {
      const problem = ApiProblem.of(error);
      // It has ended by itself.
      if (!problem.isOutdated) throw problem;
      await this.read();
    }
  }

  /** To be given to `whileSeen`. */
  look = async (): Promise<void> => {
    if (this.isOpen || Date.now() - this.#lookedAt > IDLE_MS) await this.read();
  };

  async read(): Promise<void> {
    const mine = ++this.#looks;
    this.#lookedAt = Date.now();
    try {
      const { items } = await jobsOf(this.scope, JOBS_MAX);
      if (mine === this.#looks) this.#take(items);
    } catch (error) {
      if (mine !== this.#looks) return;
      const problem = ApiProblem.of(error);
      if (!problem.isPassing || this.jobs.length === 0) this.problem = problem;
    }
  }

  #take(items: readonly IngestJob[]): void {
    const wasReady = new Set(this.jobs.filter(({ state }) => state === 'ready').map(({ id }) => id));
    for (const job of items) if (!isOver(job)) this.#followed.add(job.id);
    const isNew = ({ id, state }: IngestJob): boolean => state === 'ready' && this.#followed.has(id) && !wasReady.has(id);
    const fresh = items.filter(isNew).length;
    this.jobs = items;
    this.problem = null;
    if (fresh > 0) this.ready += fresh;
  }

  /** In its place, or before the others; a look that is under way has not seen it. */
  #put(job: IngestJob): void {
    this.#looks += 1;
    const isKnown = this.jobs.some(({ id }) => id === job.id);
    this.jobs = isKnown ? this.jobs.map((one) => (one.id === job.id ? job : one)) : [job, ...this.jobs];
  }

  async #next(): Promise<void> {
    const next = this.sending.find((one) => !one.isBegun && !one.isRefused);
    if (next === undefined || this.#busy >= AT_ONCE || me.person?.user !== this.#user) return;
    this.#busy += 1;
    next.isBegun = true;
    await this.#send(next);
    this.#busy -= 1;
    void this.#next();
  }

  async #send(one: Sending): Promise<void> {
    const { signal } = one.stop;
    try {
      const job = await sendFile(this.scope, one.file, { signal, onsent: (bytes) => (one.sent = bytes) });
      this.#followed.add(job.id);
      this.#put(job);
      this.dismiss(one);
    } catch (error) {
      if (signal.aborted) return;
      const problem = ApiProblem.of(error);
      if (problem.status === TOO_MANY) await this.#waits(one, problem);
      else one.problem = problem;
    }
  }

  /** As many as may wait are waiting: it has its turn later. */
  async #waits(one: Sending, { params }: ApiProblem): Promise<void> {
    const told = params['retry_after_seconds'];
    await pause((typeof told === 'number' ? told : AGAIN_SECONDS) * 1_000, one.stop.signal);
    [one.isBegun, one.sent] = [false, 0];
  }
}

/** Of the person here, by scope. */
const known = new Map<string, Ingests>();

export function ingestsIn(scope: string): Ingests {
  const key = `${me.person?.user ?? ''} ${scope}`;
  const ingests = known.get(key) ?? new Ingests(scope);
  known.set(key, ingests);
  return ingests;
}

// Whoever closes the page ends what it sends.
window.addEventListener('beforeunload', (event) => {
  if ([...known.values()].some(({ isSending }) => isSending)) event.preventDefault();
});
