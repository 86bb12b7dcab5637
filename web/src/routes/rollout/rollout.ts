// What the address asks of the divergences, and how figures are said.

import type { Schemas } from '../../api/client';
import type { paths } from '../../api/schema';
import { language, type Key } from '../../state/language.svelte';

export type Rollout = Schemas['RolloutView'];
export type Divergence = Schemas['DivergenceView'];
export type Rates = Schemas['RatesView'];
export type Counts = Schemas['ReviewCountsView'];
export type Matrix = Schemas['ReviewMatrixView'];
export type Verdict = Schemas['VerdictOnDivergence'];
export type StageAct = 'promote' | 'demote';
type Query = NonNullable<paths['/projects/{id}/divergences']['get']['parameters']['query']>;

export const REVIEWS = ['unreviewed', 'right', 'wrong'] as const;
export const CONSENSUS = ['NO', 'REVISION'] as const;
export const STAGES = ['observe', 'enforce'] as const;
/** Of this build, but talk, which is not reviewed. */
export const TASK_TYPES = ['FILE_READ', 'FILE_WRITE', 'FILE_DELETE', 'API_WORKFLOW', 'WEB_FETCH'] as const;
export const NAMES = ['review', 'consensus', 'stage', 'task_type', 'requester', 'concern', 'model', 'from', 'until'] as const;
export const NAME_CHARS_MAX = 120;
export const REASON_CHARS_MAX = 2_000;

/** Only what is filled in; what the server does not take it refuses by name. */
export function queryOf(address: URLSearchParams): Query {
  const given = [...NAMES, 'cursor'].map((name) => [name, address.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Query;
}

/** Where more is told of a request: its plan, else its turn, where the person here is told of it. */
export function placeOf(project: string, of: Pick<Divergence, 'blueprint' | 'turn'>): { href: string; text: Key } | null {
  if (of.blueprint) return { href: `/p/${project}/why/${of.blueprint}`, text: 'rollout.see_plan' };
  return of.turn ? { href: `/p/${project}/turns/${of.turn}`, text: 'rollout.see_turn' } : null;
}

/** Of parts per million, rounded up: a bound is never said to be lower than it is. */
export function percent(ppm: number): string {
  const share = Math.ceil(ppm / 100) / 10_000;
  return share.toLocaleString(language.current, { style: 'percent', maximumFractionDigits: 2 });
}
