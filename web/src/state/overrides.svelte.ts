// Temporary policies of projects: what waits or runs is known to the notice beside every screen.

import { api, ask, type Schemas } from '../api/client';

export type Override = Schemas['OverrideView'];

/** One that waits or runs. */
export interface OpenOverride {
  project: string;
  one: Override;
  /** When it was looked at, by the clock here. */
  at: number;
}

/** Of a screen that lists what is of many projects; each is asked about. */
const LISTED_MAX = 10;

let known = $state.raw<readonly OpenOverride[]>([]);
let listed = $state.raw<readonly string[]>([]);
let signIn = 0;

export const overrides = {
  /** Projects that the screen lists something of, where it is no project's own. */
  get listed(): readonly string[] {
    return listed;
  },
  /** Of a project there is one at a time. */
  of(project: string): OpenOverride | undefined {
    return known.find((open) => open.project === project);
  },
};

/** The first ones are told of. */
export function listProjects(projects: readonly string[]): void {
  const next = [...new Set(projects)].slice(0, LISTED_MAX);
  if (next.join() !== listed.join()) listed = next;
}

/** Seconds that are left of one that runs, by the server's own clock. */
export function secondsLeft({ one, at }: OpenOverride, now: number): number {
  return Math.max(0, Math.round((one.seconds_left ?? 0) - (now - at) / 1000));
}

export async function loadOverrides(project: string): Promise<void> {
  const mine = signIn;
  const params = { path: { id: project }, query: { open: true } };
  const { items } = await ask(api.GET('/projects/{id}/overrides', { params }));
  // Somebody else is signed in by now.
  if (mine !== signIn) return;
  const at = Date.now();
  const one = items.find(({ state }) => state === 'running') ?? items[0];
  const others = known.filter((open) => open.project !== project);
  known = one ? [...others, { project, one, at }] : others;
}

/** Of somebody else's sign-in nothing is kept. */
export function forgetOverrides(): void {
  signIn += 1;
  [known, listed] = [[], []];
}
