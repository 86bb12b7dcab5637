// A policy that is being edited: as a form or as text, against the version it began from.

import { ApiProblem, api, ask, type Schemas } from '../../api/client';
import { changesOf, merged, same, type Change } from '../../text/changes';
import { toml } from '../../text/toml';
import { versionOf, type Policy, type Version } from './model';

export type PolicyChange = Schemas['ChangeView'];
export type Mode = 'form' | 'text';

/** What is wrong with the fine rules, at its line and column in them. */
export interface RuleFault {
  line: number;
  column: number;
  code: string;
  message: string;
}

/** Where a text is no policy, and why. */
export interface Fault {
  line: number | null;
  column: number | null;
  message: string;
  /** Of the fine rules; empty where something else is wrong. */
  rules: readonly RuleFault[];
}

interface Kept {
  base: Version;
  mode: Mode;
  text: string;
  policy: Policy;
  reason: string;
}

/** For how long, and for what, a policy is proposed that does not hold for good. */
export interface Temporary {
  scope: 'request' | 'type' | 'window';
  /** Of the scope `type`. */
  taskType: string;
  seconds: number;
}

/** Somebody saved another version meanwhile. */
export interface Meanwhile {
  version: Version;
  changes: readonly Change[];
  /** What both changed: what was typed here stands. */
  clashes: readonly string[];
}

export class PolicyDraft {
  readonly project: string;
  mode = $state<Mode>('form');
  policy = $state<Policy>() as Policy;
  text = $state('');
  reason = $state('');
  base = $state.raw<Version>() as Version;
  fault = $state.raw<Fault | null>(null);
  /** Of the last check; null while it is not known. */
  changes = $state.raw<readonly PolicyChange[] | null>(null);
  problem = $state.raw<ApiProblem | null>(null);
  meanwhile = $state.raw<Meanwhile | null>(null);
  checking = $state(false);
  /** The text that the version it began from has. */
  #baseText = $state('');
  #check = 0;

  constructor(project: string, base: Version, baseText: string) {
    this.project = project;
    this.#begin(base, baseText);
    this.#restore();
  }

  get isDirty(): boolean {
    return this.mode === 'form' ? !same(this.policy, this.base.policy) : this.text !== this.#baseText;
  }

  #begin(base: Version, baseText: string): void {
    this.base = base;
    this.#baseText = baseText;
    this.policy = structuredClone(base.policy);
    this.text = baseText;
    this.fault = null;
    this.changes = [];
    this.problem = null;
  }

  discard(): void {
    this.#begin(this.base, this.#baseText);
    this.reason = '';
    this.forget();
  }

  /** Typed back to what it was: nothing is wrong with that. */
  settle(): void {
    this.#check += 1;
    [this.fault, this.changes, this.problem, this.checking] = [null, [], null, false];
  }

  /** What is edited, as text. */
  get written(): string {
    return this.mode === 'text' ? this.text : toml($state.snapshot(this.policy));
  }

  /** Asks whether it is a policy, and what it would change. An older answer is dropped. */
  async check(): Promise<boolean> {
    const asked = ++this.#check;
    this.checking = true;
    this.problem = null;
    try {
      const params = { path: { id: this.project } };
      const body = { text: this.written };
      const found = await ask(api.POST('/projects/{id}/policy/check', { params, body }));
      if (asked !== this.#check) return false;
      this.fault = null;
      this.changes = found.changes;
      if (this.mode === 'text') this.policy = found.policy as unknown as Policy;
      return true;
    } catch (error) {
      if (asked === this.#check) this.#refused(ApiProblem.of(error));
      return false;
    } finally {
      if (asked === this.#check) this.checking = false;
    }
  }

  #refused(problem: ApiProblem): void {
    this.changes = null;
    if (problem.code !== 'INVALID_POLICY') {
      this.problem = problem;
      return;
    }
    const { line, column, message, faults } = problem.params;
    const count = (value: unknown): number | null => (typeof value === 'number' ? value : null);
    const rules = Array.isArray(faults) ? (faults as RuleFault[]) : [];
    this.fault = { line: count(line), column: count(column), message: String(message ?? problem.title), rules };
  }

  /** A text that is no policy cannot be shown as a form. */
  async switchTo(mode: Mode): Promise<void> {
    if (mode === this.mode) return;
    if (mode === 'text') {
      this.text = this.isDirty ? this.written : this.#baseText;
      this.mode = mode;
    } else if (await this.check()) this.mode = mode;
  }

  /** Puts it in force; `false` where it could not be, `problem` or `meanwhile` says why. */
  async save(): Promise<Version | null> {
    if (!(await this.check())) return null;
    const params = { path: { id: this.project }, header: { 'If-Match': `"${this.base.id}"` } };
    const policy = $state.snapshot(this.policy) as unknown as Record<string, never>;
    try {
      const body = { policy, reason: this.reason };
      const made = await ask(api.PUT('/projects/{id}/policy', { params, body }));
      this.forget();
      return versionOf(made);
    } catch (error) {
      const problem = ApiProblem.of(error);
      if (problem.code === 'VERSION_CHANGED') await this.#changedMeanwhile();
      else this.problem = problem;
      return null;
    }
  }

  /** Proposes it for a while; another person approves it. `false`: `problem` or `meanwhile` says why not. */
  async propose({ scope, taskType, seconds }: Temporary): Promise<boolean> {
    if (!(await this.check())) return false;
    const params = { path: { id: this.project }, header: { 'If-Match': `"${this.base.id}"` } };
    const policy = $state.snapshot(this.policy) as unknown as Record<string, never>;
    const task_type = scope === 'type' ? taskType : null;
    try {
      const body = { policy, scope, task_type, ttl_seconds: seconds, reason: this.reason };
      await ask(api.POST('/projects/{id}/overrides', { params, body }));
      this.discard();
      return true;
    } catch (error) {
      const problem = ApiProblem.of(error);
      if (problem.code === 'VERSION_CHANGED') await this.#changedMeanwhile();
      else this.problem = problem;
      return false;
    }
  }

  /** What was typed is laid on the new version: nothing of either side is lost. */
  async #changedMeanwhile(): Promise<void> {
    const path = { id: this.project };
    try {
      const [view, text] = await Promise.all([
        ask(api.GET('/projects/{id}/policy', { params: { path } })),
        ask(api.GET('/projects/{id}/policy/text', { params: { path } })),
      ]);
      const version = versionOf(view);
      const query = { from: this.base.number, to: version.number };
      const diff = await ask(api.GET('/projects/{id}/policy/diff', { params: { path, query } }));
      const mine = $state.snapshot(this.policy) as Policy;
      const { value, clashes } = merged(this.base.policy, mine, version.policy);
      this.base = version;
      this.#baseText = text.text;
      this.policy = value;
      this.text = toml(value);
      this.meanwhile = { version, changes: diff.changes, clashes };
      await this.check();
      this.keep();
    } catch (error) {
      this.problem = ApiProblem.of(error);
    }
  }

  /** Kept since before somebody saved. A text is not taken apart: its check shows what it would undo. */
  #layOn(old: Version): void {
    const changes = changesOf(old.policy, this.base.policy);
    const mine = $state.snapshot(this.policy) as Policy;
    const { value, clashes } = merged(old.policy, mine, this.base.policy);
    if (this.mode === 'form') this.policy = value;
    this.meanwhile = { version: this.base, changes, clashes };
  }

  take(policy: Policy): void {
    this.mode = 'form';
    this.policy = structuredClone(policy);
  }

  // What is typed outlives a reload and a sign-in that ran out. A policy holds no secret.
  get #place(): string {
    return `wiiiv.policy.${this.project}`;
  }

  keep(): void {
    if (!this.isDirty) return this.forget();
    const { mode, text, reason } = this;
    const kept: Kept = { base: this.base, mode, text, reason, policy: $state.snapshot(this.policy) as Policy };
    sessionStorage.setItem(this.#place, JSON.stringify(kept));
  }

  forget(): void {
    sessionStorage.removeItem(this.#place);
  }

  #restore(): void {
    const stored = sessionStorage.getItem(this.#place);
    if (stored === null) return;
    try {
      const kept = JSON.parse(stored) as Kept;
      [this.mode, this.text, this.policy, this.reason] = [kept.mode, kept.text, kept.policy, kept.reason];
      if (kept.base.id !== this.base.id) this.#layOn(kept.base);
      void this.check();
    } catch {
      this.forget();
    }
  }
}
