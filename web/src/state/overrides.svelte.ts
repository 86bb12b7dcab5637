// Temporary policies of a project: what waits or runs is known to the notice beside every screen.

import { api, ask, type Schemas } from '../api/client';

export type Override = Schemas['OverrideView'];

let known = $state.raw<{ project: string; items: readonly Override[]; at: number } | null>(null);
let asked = '';

export function openOverrides(project: string): readonly Override[] {
  return known?.project === project ? known.items : [];
}

/** Seconds that are left of one that runs, by the server's own clock. */
export function secondsLeft(of: Override, now: number): number {
  const since = known ? (now - known.at) / 1000 : 0;
  return Math.max(0, Math.round((of.seconds_left ?? 0) - since));
}

export async function loadOverrides(project: string): Promise<void> {
  asked = project;
  const params = { path: { id: project }, query: { open: true } };
  const { items } = await ask(api.GET('/projects/{id}/overrides', { params }));
  // Another project was opened meanwhile.
  if (asked === project) known = { project, items, at: Date.now() };
}

/** Of somebody else's sign-in nothing is kept. */
export function forgetOverrides(): void {
  [known, asked] = [null, ''];
}
