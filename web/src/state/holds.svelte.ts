// Conversations on hold: what raised their risk, and the act of whoever clears it.

import { api, ask, type Schemas } from '../api/client';

export type Hold = Schemas['RiskView'];

let list = $state.raw<readonly Hold[]>([]);
let changes = $state(0);

export const holds = {
  /** Those that concern the person; the newest activity first. */
  get list(): readonly Hold[] {
    return list;
  },
  /** Raised when one was cleared. */
  get changes(): number {
    return changes;
  },
};

export async function loadHolds(): Promise<void> {
  list = (await ask(api.GET('/holds'))).items;
}

export function holdsChanged(): void {
  changes += 1;
}

export async function riskOf(id: string): Promise<Hold> {
  return ask(api.GET('/sessions/{id}/risk', { params: { path: { id } } }));
}

/** Refused where its risk has changed since it was shown. */
export async function clearHold({ session: id, version }: Hold, reason: string): Promise<void> {
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
  await ask(api.POST('/sessions/{id}/risk/clear', { params, body: { reason } }));
  holdsChanged();
}
