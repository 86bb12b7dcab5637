// What the address asks of the audit.

import type { paths } from '../../api/schema';

type Query = NonNullable<paths['/projects/{id}/audit']['get']['parameters']['query']>;

export const OUTCOMES = ['done', 'denied', 'failed', 'cancelled', 'pending', 'unknown'] as const;
export const NAMES = ['q', 'kind', 'actor', 'outcome', 'system', 'path', 'from', 'until', 'about'] as const;

/** Only what is filled in; what the server does not take it refuses by name. */
export function queryOf(address: URLSearchParams): Query {
  const given = [...NAMES, 'cursor'].map((name) => [name, address.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Query;
}
