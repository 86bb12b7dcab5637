// Rows by day and model as a chart has them: each day with one amount of each model.

import type { Row, Sums } from './say';

export type Measure = 'tokens' | 'micros';

/** One model, or all that are too small for a colour of their own. */
export interface Series {
  key: string;
  model: { provider: string; model: string } | null;
  total: number;
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
  const all = new Map<string, Series>();
  for (const row of rows) {
    const key = keyOf(row);
    const before = all.get(key)?.total ?? 0;
    const model = { provider: row.provider ?? '', model: row.model ?? '' };
    all.set(key, { key, model, total: before + row.sums[measure] });
  }
  const sorted = [...all.values()].sort((a, b) => b.total - a.total);
  // One that is left over needs no name for many.
  const kept = sorted.length > COLOURED_MAX + 1 ? sorted.slice(0, COLOURED_MAX) : sorted;
  const rest = sorted.slice(kept.length).reduce((sum, one) => sum + one.total, 0);
  const series = sorted.length > kept.length ? [...kept, { key: REST, model: null, total: rest }] : kept;
  const at = (row: Row): number => {
    const found = series.findIndex(({ key }) => key === keyOf(row));
    return found < 0 ? series.length - 1 : found;
  };
  const filled = new Map(days.map((day) => [day, empty(day, series.length)]));
  for (const row of rows) add(filled.get(row.day ?? ''), at(row), row.sums, measure);
  return { series, days: [...filled.values()], total: series.reduce((sum, one) => sum + one.total, 0) };
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

const STEPS = [1, 2, 2.5, 5, 10];

/** A round number that all amounts fit under. */
export function roundedUp(amount: number): number {
  if (amount <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(amount));
  return (STEPS.find((step) => step * size >= amount) ?? 10) * size;
}
