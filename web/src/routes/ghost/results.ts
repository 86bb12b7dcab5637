// Results as the API gives them: one of each suite, or all of one.

import { api, ask, type Schemas } from '../../api/client';
import type { paths } from '../../api/schema';
import { oneLine } from '../../text/visible';
import { modelName } from '../usage/say';
import type { Result } from './suite';

type Query = NonNullable<paths['/ghost/results']['get']['parameters']['query']>;
export type ResultPage = Schemas['Page_GhostResultView'];

export const MODES = ['live', 'replay', 'record', 'adversary', 'faults'] as const;
export const FILTERS = ['mode', 'provider', 'model'] as const;
export const WORD_CHARS_MAX = 60;
const PAGE_ROWS = 100;
/** A whole suite of hostile models has over a thousand runs. */
const PAGES_MAX = 15;

/** Of the address, only what is filled in. */
export function queryOf(address: URLSearchParams): Query {
  const given = [...FILTERS, 'cursor'].map((name) => [name, address.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Query;
}

/** Of each suite its newest result. */
export const suitesOf = (query: Query): Promise<ResultPage> =>
  ask(api.GET('/ghost/results', { params: { query: { ...query, one_per_suite: true } } }));

export interface Suite {
  /** The newest first; none where there is no such result. */
  runs: readonly Result[];
  truncated: boolean;
}

/** All runs of the suite that this result is of. */
export async function readSuite(suite: string): Promise<Suite> {
  const runs: Result[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query: Query = { suite, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    const answer: ResultPage = await ask(api.GET('/ghost/results', { params: { query } }));
    runs.push(...answer.items);
    cursor = answer.next_cursor ?? null;
    if (!cursor) return { runs, truncated: false };
  }
  return { runs, truncated: true };
}

/** Whose model it was; a hostile one is nobody's. */
export const nameOf = ({ provider, model }: Result): string =>
  provider ? modelName(provider, model) : oneLine(model, WORD_CHARS_MAX);
