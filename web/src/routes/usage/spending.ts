// What stands behind the budgets of a project, day by day through this month.

import { api, ask, type Schemas } from '../../api/client';
import type { Budgets } from '../../state/budgets.svelte';
import { monthStart } from './burn';
import type { Row } from './say';

type Item = Budgets['items'][number];

export interface Spending {
  project: string;
  /** As the server has it. */
  today: string;
  /** Of these sums of money; where it is another one than the budgets', they are not compared. */
  currency: string;
  /** `null`: what everybody used is for owners and approvers. */
  everybody: readonly Row[] | null;
  /** `null`: too many people to be listed by day. */
  own: readonly Row[] | null;
}

export const isOwn = ({ window }: Item): boolean => window.startsWith('user');
export const capOf = (measure: Schemas['MeasureView']): number | null => measure.cap ?? null;
const isCapped = ({ tokens, micros }: Item): boolean => capOf(tokens) !== null || capOf(micros) !== null;

/** What the budgets count, so that it is asked for again when there is more: `''` where nothing has a cap. */
export function markOf(view: Budgets | null): string {
  const items = view?.items.filter(isCapped) ?? [];
  return items.map(({ window, of, tokens, micros }) => `${window} ${of} ${tokens.settled} ${micros.settled}`).join();
}

export async function loadSpending(project: string, view: Budgets, user: string): Promise<Spending | null> {
  const today = view.items.find(({ window }) => window === 'day')?.of;
  if (today === undefined) return null;
  const use = (by: string): Promise<Schemas['UsageView']> =>
    ask(api.GET('/projects/{id}/usage', { params: { path: { id: project }, query: { from: monthStart(today), until: today, by } } }));
  const isPersonal = view.items.some((item) => isOwn(item) && isCapped(item));
  const [all, people] = await Promise.all([use('day'), isPersonal ? use('day,user') : null]);
  const own = people === null || people.truncated ? null : people.rows.filter((row) => row.user?.id === user);
  return { project, today, currency: all.currency, everybody: all.scope === 'project' ? all.rows : null, own };
}
