// A memory that is being edited, against the version it began from. What is typed is never thrown away but by
// a press on “discard”.

import { ApiProblem } from '../../api/client';
import { me } from '../../state/me.svelte';
import { readMemory, writeMemory, type MemoryPlace, type MemoryView } from './calls';
import { joined } from './lines';
import { charsOf, keptText } from './measure';

interface Kept {
  base: MemoryView;
  text: string;
}

export class MemoryDraft {
  readonly place: MemoryPlace;
  text = $state('');
  base = $state.raw<MemoryView>() as MemoryView;
  /** Saved by somebody else meanwhile, until one says how to go on. */
  meanwhile = $state.raw<MemoryView | null>(null);
  problem = $state.raw<ApiProblem | null>(null);
  busy = $state(false);
  /** As it would be saved. */
  readonly kept = $derived(keptText(this.text));
  readonly chars = $derived(charsOf(this.kept));
  readonly #stored: string;

  constructor(place: MemoryPlace, view: MemoryView) {
    this.place = place;
    // Whoever signs out meanwhile leaves nothing under another name.
    this.#stored = `wiiiv.memory.${me.person?.user}.${place.id}`;
    this.base = view;
    this.text = view.text;
    this.#restore(view);
  }

  /** What the server has, as far as is known here. */
  get saved(): MemoryView {
    return this.meanwhile ?? this.base;
  }

  get isDirty(): boolean {
    return this.kept !== this.base.text;
  }

  /** Characters too many. */
  get over(): number {
    return Math.max(0, this.chars - this.base.chars_max);
  }

  /** `null`: `problem` or `meanwhile` says why not. */
  async save(): Promise<MemoryView | null> {
    const typed = this.text;
    this.busy = true;
    this.problem = null;
    try {
      const saved = await writeMemory(this.place, this.base.version, this.kept);
      this.base = saved;
      // What was typed while it was under way stays.
      if (this.text === typed) this.text = saved.text;
      return saved;
    } catch (error) {
      await this.#refused(ApiProblem.of(error));
      return null;
    } finally {
      this.busy = false;
    }
  }

  async #refused(problem: ApiProblem): Promise<void> {
    if (problem.code !== 'VERSION_CHANGED') {
      this.problem = problem;
      return;
    }
    try {
      this.meanwhile = await readMemory(this.place);
    } catch (error) {
      this.problem = ApiProblem.of(error);
    }
  }

  /** What was typed stands; what it changes is told against what is saved now. */
  goOn(): void {
    if (this.meanwhile === null) return;
    this.base = this.meanwhile;
    this.meanwhile = null;
  }

  /** What is saved now, and behind it what was added here. */
  together(): void {
    if (this.meanwhile === null) return;
    this.text = joined(this.base.text, this.kept, this.meanwhile.text);
    this.goOn();
  }

  discard(): void {
    this.goOn();
    this.text = this.base.text;
    this.problem = null;
  }

  // What is typed outlives another screen, a reload and a sign-in that ran out; nobody else finds it.
  keep(): void {
    const kept: Kept = { base: this.base, text: this.text };
    if (!this.isDirty) return this.#forget();
    try {
      sessionStorage.setItem(this.#stored, JSON.stringify(kept));
    } catch {
      // More than a browser keeps: it stands in the field.
    }
  }

  #forget(): void {
    sessionStorage.removeItem(this.#stored);
  }

  #restore(view: MemoryView): void {
    const stored = sessionStorage.getItem(this.#stored);
    if (stored === null) return;
    try {
      const { base, text } = JSON.parse(stored) as Kept;
      this.text = text;
      // The same is saved already, by whomever.
      if (base.version === view.version || !this.isDirty) return;
      [this.base, this.meanwhile] = [base, view];
    } catch {
      this.#forget();
    }
  }
}
