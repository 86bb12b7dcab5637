// Rows by day and model as a chart has them: each day with one amount of each model.

import type { Row, Sums } from './say';

export type Measure = 'tokens' | 'micros';

/** One model, or all that are too small for a colour of their own. */
export interface Series {
  key: string;
  model: { provider: string; model: string } | null;
  total: number;
  /** The same in tokens and in money, as long as the same models are named. */
  colour: number;
  /** Money is asked for, and nobody said what it costs: not the same as nothing. */
  isUnpriced: boolean;
}

export interface Day {
  day: string;
  calls: number;
  /** In the order of the series. */
  amounts: readonly number[];
  total: number;
}

export interface Charted {
  series: readonly Series[];
  days: readonly Day[];
  total: number;
}

/** As many colours as can be told apart; what is left shares the last one. */
const COLOURED_MAX = 5;
const REST = 'rest';

const keyOf = ({ provider, model }: Row): string => `model ${provider ?? ''} ${model ?? ''}`;

export function charted(rows: readonly Row[], days: readonly string[], measure: Measure): Charted {
  const series = seriesOf(rows, measure);
  const at = (row: Row): number => {
    const found = series.findIndex(({ key }) => key === keyOf(row));
    return found < 0 ? series.length - 1 : found;
  };
  const filled = new Map(days.map((day) => [day, empty(day, series.length)]));
  for (const row of rows) add(filled.get(row.day ?? ''), at(row), row.sums, measure);
  return { series, days: [...filled.values()], total: series.reduce((sum, one) => sum + one.total, 0) };
}

/** The largest first; the small ones together, where there are many. */
function seriesOf(rows: readonly Row[], measure: Measure): Series[] {
  const all = new Map<string, Series>();
  for (const row of rows) {
    const key = keyOf(row);
    const before = all.get(key);
    const model = { provider: row.provider ?? '', model: row.model ?? '' };
    const isUnpriced = (before?.isUnpriced ?? false) || (measure === 'micros' && row.sums.unpriced > 0);
    all.set(key, { key, model, total: (before?.total ?? 0) + row.sums[measure], colour: 0, isUnpriced });
  }
  const sorted = [...all.values()].sort((a, b) => b.total - a.total);
  // One that is left over needs no name for many.
  const kept = sorted.length > COLOURED_MAX + 1 ? sorted.slice(0, COLOURED_MAX) : sorted;
  const left = sorted.slice(kept.length);
  const keys = kept.map(({ key }) => key).sort();
  const named = kept.map((one) => ({ ...one, colour: keys.indexOf(one.key) }));
  if (left.length === 0) return named;
  const total = left.reduce((sum, one) => sum + one.total, 0);
  return [...named, { key: REST, model: null, total, colour: COLOURED_MAX, isUnpriced: left.some((one) => one.isUnpriced) }];
}

interface Filling extends Day {
  amounts: number[];
}

function empty(day: string, series: number): Filling {
  return { day, calls: 0, amounts: Array<number>(series).fill(0), total: 0 };
}

function add(day: Filling | undefined, at: number, sums: Sums, measure: Measure): void {
  if (!day) return;
  day.calls += sums.calls;
  day.amounts[at] = (day.amounts[at] ?? 0) + sums[measure];
  day.total += sums[measure];
}

const STEPS = [1, 2, 4, 6, 8, 10];

/** A round number that all amounts fit under, and its half a whole one. */
export function roundedUp(amount: number): number {
  if (amount <= 2) return 2;
  const size = 10 ** Math.floor(Math.log10(amount));
  return (STEPS.find((step) => step * size >= amount) ?? 10) * size;
}
