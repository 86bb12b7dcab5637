// How many questions wait for a person: the badge.

import { api, ask } from '../api/client';

const COUNTED_MAX = 100;

let ids = $state.raw<readonly string[]>([]);
/** Raised whenever the set of waiting questions may have changed. */
let changes = $state(0);

export const waiting = {
  get count(): number {
    return ids.length;
  },
  get changes(): number {
    return changes;
  },
};

/** A page's title, with what waits before it. */
export function titled(title: string): string {
  return ids.length > 0 ? `(${ids.length}) ${title} · wiiiv` : `${title} · wiiiv`;
}

/** These wait now. */
export function learn(now: readonly string[]): void {
  if (now.join() !== ids.join()) changes += 1;
  ids = now;
}

export async function countWaiting(): Promise<void> {
  const query = { state: 'pending' as const, limit: COUNTED_MAX };
  const page = await ask(api.GET('/approvals', { params: { query } })).catch(() => null);
  if (page !== null) learn(page.items.map(({ id }) => id));
}

/** Something was asked or decided here. */
export function approvalsChanged(): void {
  changes += 1;
  void countWaiting();
}
