// How the state of a question is called.

import { tCode } from './language.svelte';

interface Answered {
  state: string;
  /** Whoever answered before it was withdrawn said yes. */
  decided_by?: string | null;
}

/** A yes is withdrawn where a gate says no behind it; else another question took its place. */
export function standingText({ state, decided_by: by }: Answered): string {
  return tCode('approval', state === 'withdrawn' && by ? 'withdrawn_denied' : state);
}
