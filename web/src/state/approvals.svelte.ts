// How many questions wait for a person: the badge, kept fresh while the page is looked at.

import { api, ask } from '../api/client';

const EVERY_MS = 15_000;
const COUNTED_MAX = 100;

let count = $state(0);
/** Raised whenever the set of waiting questions may have changed. */
let changes = $state(0);

export const waiting = {
  get count(): number {
    return count;
  },
  get changes(): number {
    return changes;
  },
};

export async function countWaiting(): Promise<void> {
  const query = { state: 'pending' as const, limit: COUNTED_MAX };
  const page = await ask(api.GET('/approvals', { params: { query } })).catch(() => null);
  if (page === null) return;
  if (page.items.length !== count) changes += 1;
  count = page.items.length;
}

/** Something was asked or decided here. */
export function approvalsChanged(): void {
  changes += 1;
  void countWaiting();
}

/** Looks now and then; ends with the returned function. */
export function watchWaiting(): () => void {
  const look = (): void => {
    if (document.visibilityState === 'visible') void countWaiting();
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
