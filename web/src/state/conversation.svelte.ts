// One open session: its turns, its messages on the way, its link to the server.

import { ApiProblem, api, ask, newKey, type Schemas } from '../api/client';
import { follow, pause, type LinkState, type StreamEvent } from '../api/stream';
import { approvalsChanged } from './approvals.svelte';
import { haltsChanged } from './halts.svelte';
import { holdsChanged } from './holds.svelte';
import { chosenLanguage } from './language.svelte';
import { deliver, kept, keep, type Outgoing } from './outbox';
import { folded, newTurn, type SessionEvent, type Turn } from './turns';

/** Events of the past that are shown at first. */
const PAST_EVENTS_MAX = 3_000;
const DRAFT_CHARS_MAX = 200_000;
const AGAIN_MS = 2_000;
/** A page that nobody sees gives its connection back: a browser has six for all of them. */
const UNSEEN_MS = 3_000;

export class Conversation {
  readonly id: string;
  /** Empty until the past has been read whole: half of a turn that is over looks as one that runs. */
  turns = $state.raw<readonly Turn[]>([]);
  outbox = $state.raw<readonly Outgoing[]>([]);
  /** Words of a reply that is still being written. */
  drafts = $state.raw<Readonly<Record<string, string>>>({});
  link = $state<LinkState>('connecting');
  problem = $state.raw<ApiProblem | null>(null);
  /** What stood in the journal when it was opened has been read. */
  isLoaded = $state(false);
  hasEarlier = $state(false);
  stopping = $state(false);
  /** Raised with every turn that ends here. */
  ended = $state(0);

  /** As far as the journal has been read. */
  #read: readonly Turn[] = [];
  #places = new Map<string, number>();
  #after = 0;
  /** The newest event that is drawn. */
  #drawn = 0;
  #newest = 0;
  /** Turns whose first words may have been told while this page did not listen. */
  #missed = new Set<string>();
  #stop = new AbortController();
  #waiting: SessionEvent[] = [];
  /** Keys of messages that are being delivered by this page. */
  #sending = new Set<string>();

  constructor(id: string) {
    this.id = id;
    this.outbox = kept(id);
  }

  /** The turn in progress. */
  get running(): Turn | null {
    return this.turns.findLast((turn) => turn.outcome === null) ?? null;
  }

  get isBusy(): boolean {
    return this.running !== null || this.outbox.some((out) => out.problem === null);
  }

  async open(all = false): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#forget();
    const newest = await this.#stand(signal);
    if (newest === null) return;
    this.#newest = newest;
    this.#after = all ? 0 : Math.max(0, newest - PAST_EVENTS_MAX);
    this.hasEarlier = this.#after > 0;
    this.isLoaded = this.#newest <= this.#after;
    this.#followWhileSeen(signal);
    // What was on its way when the page was left goes on under its old key.
    for (const out of this.outbox) if (out.problem === null) void this.#send(out);
  }

  close(): void {
    this.#stop.abort();
  }

  #forget(): void {
    this.turns = [];
    this.isLoaded = false;
    this.#read = [];
    this.#waiting = [];
    this.#drawn = 0;
    this.drafts = {};
    this.problem = null;
    this.#places.clear();
  }

  /** The newest event; asked again while the server is away, `null` where it cannot be opened. */
  async #stand(signal: AbortSignal): Promise<number | null> {
    const params = { path: { id: this.id } };
    while (!signal.aborted) {
      try {
        return (await ask(api.GET('/sessions/{id}/state', { params, signal }))).last_event;
      } catch (error) {
        const problem = ApiProblem.of(error);
        if (!problem.isPassing) {
          if (!signal.aborted) this.problem = problem;
          return null;
        }
        this.link = 'away';
      }
      await pause(AGAIN_MS, signal);
    }
    return null;
  }

  #followWhileSeen(signal: AbortSignal): void {
    let stream: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = (): void => {
      clearTimeout(timer);
      if (stream !== null || signal.aborted) return;
      stream = new AbortController();
      void this.#follow(AbortSignal.any([signal, stream.signal]));
    };
    const rest = (): void => {
      stream?.abort();
      stream = null;
      // The rest of what is being written is not heard: the whole reply follows.
      this.drafts = {};
    };
    const look = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') go();
      else timer = setTimeout(rest, UNSEEN_MS);
    };
    document.addEventListener('visibilitychange', look, { signal });
    signal.addEventListener('abort', () => clearTimeout(timer));
    go();
    look();
  }

  #follow(signal: AbortSignal): Promise<void> {
    if (this.running) this.#missed.add(this.running.id);
    return follow({
      path: `/sessions/${this.id}/events?after=${this.#after}`,
      lastId: () => (this.#after > 0 ? `${this.id}:${this.#after}` : null),
      onEvent: (event) => this.#received(event),
      onState: (state) => {
        this.link = state;
        // Words that were on their way are not said again: the whole reply follows.
        if (state !== 'away') return;
        this.drafts = {};
        if (this.running) this.#missed.add(this.running.id);
      },
      onEnd: (problem) => (this.problem = problem),
      signal,
    });
  }

  #received(event: StreamEvent): void {
    let data: unknown;
    try {
      data = JSON.parse(event.data);
    } catch {
      return;
    }
    if (event.name === 'delta') this.#delta(data as { turn: string; text: string });
    else if (event.name === 'halts') haltsChanged();
    else if (event.id !== '') this.#journalled(data as SessionEvent);
  }

  #delta({ turn, text }: { turn: string; text: string }): void {
    const begun = this.drafts[turn] ?? (this.#missed.has(turn) ? '… ' : '');
    const words = (begun + text).slice(0, DRAFT_CHARS_MAX);
    this.drafts = { ...this.drafts, [turn]: words };
  }

  /** Events of one breath are folded together: a long past is drawn once. */
  #journalled(event: SessionEvent): void {
    if (event.seq <= this.#after) return;
    this.#after = event.seq;
    if (this.#waiting.push(event) === 1) queueMicrotask(() => this.#fold());
  }

  #fold(): void {
    const events = this.#waiting.splice(0);
    if (events.length === 0) return;
    const turns = [...this.#read];
    for (const event of events) {
      const place = this.#places.get(event.turn) ?? turns.length;
      this.#places.set(event.turn, place);
      turns[place] = folded(turns[place] ?? newTurn(event.turn, event.at), event);
      if (event.seq <= this.#newest) this.#missed.add(event.turn);
      this.#notice(event);
    }
    this.#read = turns;
    if (this.#after >= this.#newest) this.isLoaded = true;
    if (!this.isLoaded) return;
    this.turns = turns;
    this.#drawn = Math.max(this.#drawn, ...events.map(({ seq }) => seq));
  }

  #notice(event: SessionEvent): void {
    if (event.event === 'accepted') this.#arrived(event);
    // Somebody decided: the question is not asked any more, before the turn of it ends.
    if (event.event === 'accepted' && event.decision && this.isLoaded) approvalsChanged();
    if (event.event === 'reply') this.drafts = without(this.drafts, event.turn);
    if (event.event === 'preview' && this.isLoaded) approvalsChanged();
    if (event.event === 'risk_cleared' && this.isLoaded) holdsChanged();
    if (event.event !== 'ended') return;
    this.drafts = without(this.drafts, event.turn);
    this.stopping = false;
    this.ended += 1;
    if (this.isLoaded) approvalsChanged();
  }

  /** The journal has it: the copy on its way goes, also where the answer to it was lost. */
  #arrived({ text, seq }: { text: string; seq: number }): void {
    const out = this.outbox.find((one) => one.text === text && one.after < seq);
    if (out) this.takeBack(out.key);
  }

  /** The newest event that stands on this screen; `null` before there is one. */
  get seen(): number | null {
    return this.#drawn > 0 ? this.#drawn : null;
  }

  /** `seen`: what stood on the screen when the words were typed. */
  async say(text: string, seen = this.seen): Promise<void> {
    const after = Math.max(this.#after, this.#newest);
    const out: Outgoing = { key: newKey(), text, language: chosenLanguage(), after, seen, problem: null };
    this.#put([...this.outbox, out]);
    await this.#send(out);
  }

  /** The answer to a form, in place of words. */
  async fillIn(form: Schemas['FormInput']): Promise<void> {
    const params = { path: { id: this.id } };
    const headers = { 'Idempotency-Key': newKey(), Accept: 'application/json' };
    const body = { form, language: chosenLanguage(), seen: this.seen };
    await ask(api.POST('/sessions/{id}/messages', { params, headers, body }));
  }

  async sendAgain(key: string): Promise<void> {
    const out = this.outbox.find((one) => one.key === key);
    if (!out) return;
    const fresh = { ...out, problem: null };
    this.#replace(key, fresh);
    await this.#send(fresh);
  }

  takeBack(key: string): void {
    this.#put(this.outbox.filter((out) => out.key !== key));
  }

  #put(outbox: readonly Outgoing[]): void {
    this.outbox = outbox;
    keep(this.id, outbox);
  }

  async #send(out: Outgoing): Promise<void> {
    if (this.#sending.has(out.key)) return;
    this.#sending.add(out.key);
    try {
      const turn = await deliver(this.id, out);
      if (this.#places.has(turn)) this.takeBack(out.key);
    } catch (error) {
      this.#replace(out.key, { ...out, problem: ApiProblem.of(error) });
    } finally {
      this.#sending.delete(out.key);
    }
  }

  #replace(key: string, next: Outgoing): void {
    this.#put(this.outbox.map((out) => (out.key === key ? next : out)));
  }

  /** A button in place of words. */
  async press(action: Schemas['ControlAction']): Promise<void> {
    const params = { path: { id: this.id } };
    await ask(api.POST('/sessions/{id}/control', { params, body: { action } }));
  }

  async cancel(): Promise<void> {
    this.stopping = true;
    try {
      await this.press('cancel');
    } catch (error) {
      this.stopping = false;
      throw error;
    }
  }
}

function without(drafts: Readonly<Record<string, string>>, turn: string): Record<string, string> {
  return Object.fromEntries(Object.entries(drafts).filter(([id]) => id !== turn));
}
