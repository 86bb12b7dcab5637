// The filters of the inbox as the address says them. Nothing said: what waits.

import type { Filters, StateName } from './inbox.svelte';

export const STATES: readonly StateName[] = [
  'pending', 'consumed', 'approved', 'rejected', 'edited', 'expired', 'withdrawn',
];
export const ANY = 'any';

export function filtersOf(query: URLSearchParams): Filters {
  const said = query.get('state');
  const state = said === ANY ? null : (STATES.find((one) => one === said) ?? 'pending');
  const requester = query.get('requester');
  return {
    state,
    project: query.get('project') || null,
    requester: requester === 'me' || requester === 'others' ? requester : null,
  };
}
