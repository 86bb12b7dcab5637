// What is halted of what concerns the person here, and the switch itself.

import { api, ask, type Schemas } from '../api/client';

export type Halt = Schemas['HaltView'];
export type HaltAct = 'halt' | 'resume';
/** The id of the server is empty. */
export interface HaltTarget {
  scope: Halt['scope'];
  id: string;
}

let list = $state.raw<readonly Halt[]>([]);

export const halts = {
  /** The server's first, then those of projects, then those of conversations. */
  get list(): readonly Halt[] {
    return list;
  },
  of({ scope, id }: HaltTarget): Halt | undefined {
    return list.find((halt) => halt.scope === scope && idOf(halt) === id);
  },
};

export const idOf = (halt: Halt): string => halt.session ?? halt.project ?? '';

export async function loadHalts(): Promise<void> {
  list = (await ask(api.GET('/halts'))).items;
}

/** Somebody was told that something changed; what cannot be asked now is asked again later. */
export function haltsChanged(): void {
  void loadHalts().catch(() => undefined);
}

/** Of somebody else's sign-in nothing is kept. */
export function forgetHalts(): void {
  list = [];
}

export async function changeHalt({ scope, id }: HaltTarget, act: HaltAct, reason: string): Promise<void> {
  const params = { path: { id } };
  const body = { reason };
  if (scope === 'session') {
    if (act === 'halt') await ask(api.POST('/sessions/{id}/halt', { params, body }));
    else await ask(api.POST('/sessions/{id}/resume', { params, body }));
  } else if (scope === 'project') {
    if (act === 'halt') await ask(api.POST('/projects/{id}/halt', { params, body }));
    else await ask(api.POST('/projects/{id}/resume', { params, body }));
  } else if (act === 'halt') await ask(api.POST('/server/halt', { body }));
  else await ask(api.POST('/server/resume', { body }));
  await loadHalts();
}
