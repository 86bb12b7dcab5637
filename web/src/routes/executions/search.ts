// What the address asks of the executions.

import type { paths } from '../../api/schema';

type Query = NonNullable<paths['/projects/{id}/executions']['get']['parameters']['query']>;

export const STATES = ['running', 'indeterminate', 'succeeded', 'failed', 'cancelled'] as const;
export const NAMES = ['q', 'state', 'requester', 'system', 'from', 'until'] as const;

/** Only what is filled in; what the server does not take it refuses by name. */
export function queryOf(address: URLSearchParams): Query {
  const given = [...NAMES, 'cursor'].map((name) => [name, address.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Query;
}
