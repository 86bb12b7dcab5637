// What the address asks of the divergences, and how figures are said.

import type { Schemas } from '../../api/client';
import type { paths } from '../../api/schema';
import { language } from '../../state/language.svelte';

export type Rollout = Schemas['RolloutView'];
export type Divergence = Schemas['DivergenceView'];
export type Verdict = Schemas['VerdictOnDivergence'];
export type StageAct = 'promote' | 'demote';
type Query = NonNullable<paths['/projects/{id}/divergences']['get']['parameters']['query']>;

export const REVIEWS = ['unreviewed', 'right', 'wrong'] as const;
export const CONSENSUS = ['NO', 'REVISION'] as const;
export const STAGES = ['observe', 'enforce'] as const;
export const NAMES = ['review', 'consensus', 'stage', 'concern'] as const;
export const REASON_CHARS_MAX = 2_000;

/** Only what is filled in; what the server does not take it refuses by name. */
export function queryOf(address: URLSearchParams): Query {
  const given = [...NAMES, 'cursor'].map((name) => [name, address.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Query;
}

/** Of parts per million, rounded up: a bound is never said to be lower than it is. */
export function percent(ppm: number): string {
  const share = Math.ceil(ppm / 100) / 10_000;
  return share.toLocaleString(language.current, { style: 'percent', maximumFractionDigits: 2 });
}
