// What is used of a capped window day by day, what is left of it, and how long that lasts.

import { daysOf } from './period';
import type { Row } from './say';
import type { Measure } from './series';

/** Whole days with use; of fewer nothing is said of how it goes on. */
export const PACE_DAYS_MIN = 3;
const DAY_MS = 86_400_000;
const DIGITS = 3;

export interface DaySpent {
  day: string;
  calls: number;
  amount: number;
  /** With all days of the month before it. */
  soFar: number;
}

/** The budget's own count, what is promised to calls under way included. */
export interface Standing {
  cap: number;
  used: number;
}

/** How far the month is, in days: 21.5 is noon of the 22nd. */
export interface Clock {
  elapsed: number;
  length: number;
}

/** Where it goes from here; `at` is in days of the month, as the clock has them. */
export type Course =
  | { kind: 'spent' }
  | { kind: 'early' }
  | { kind: 'lasts'; pace: number; total: number }
  | { kind: 'ends'; pace: number; day: string; at: number };

export const monthStart = (today: string): string => `${today.slice(0, 7)}-01`;

/** Each day of the month up to today, also those on which nothing was called. */
export function spentByDay(rows: readonly Row[], today: string, measure: Measure): DaySpent[] {
  const sums = new Map<string, { calls: number; amount: number }>();
  for (const { day, sums: one } of rows) {
    const before = sums.get(day ?? '') ?? { calls: 0, amount: 0 };
    sums.set(day ?? '', { calls: before.calls + one.calls, amount: before.amount + one[measure] });
  }
  let soFar = 0;
  return daysOf({ from: monthStart(today), until: today }).map((day) => {
    const { calls, amount } = sums.get(day) ?? { calls: 0, amount: 0 };
    soFar += amount;
    return { day, calls, amount, soFar };
  });
}

/** The day is the server's; a clock that goes wrong here stays within it. */
export function clockOf(today: string, now: number): Clock {
  const [year = 0, month = 0, day = 1] = today.split('-').map(Number);
  const part = Math.min(1, Math.max(0, (now - Date.parse(today)) / DAY_MS));
  return { elapsed: day - 1 + part, length: new Date(Date.UTC(year, month, 0)).getUTCDate() };
}

/**
 * A day's mean since the first day with use. Today is left out, because it is not over: at nine in
 * the morning it would look like an idle day.
 */
export function paceOf(days: readonly DaySpent[]): number | null {
  const whole = days.slice(0, -1);
  const busy = whole.filter(({ amount }) => amount > 0);
  if (busy.length < PACE_DAYS_MIN) return null;
  const first = whole.findIndex(({ amount }) => amount > 0);
  return busy.reduce((sum, { amount }) => sum + amount, 0) / (whole.length - first);
}

export const leftOf = ({ cap, used }: Standing): number => Math.max(0, cap - used);

export function courseOf(days: readonly DaySpent[], standing: Standing, { elapsed, length }: Clock): Course {
  if (leftOf(standing) === 0) return { kind: 'spent' };
  const pace = paceOf(days);
  if (pace === null) return { kind: 'early' };
  const at = elapsed + leftOf(standing) / pace;
  if (at >= length) return { kind: 'lasts', pace, total: standing.used + pace * (length - elapsed) };
  const start = Date.parse(monthStart(days[0]?.day ?? ''));
  return { kind: 'ends', pace, day: new Date(start + Math.floor(at) * DAY_MS).toISOString().slice(0, 10), at };
}

/** Of what is only guessed no more digits than it is worth; down, so that no cap seems reached. */
export function roughly(amount: number): number {
  if (amount <= 0) return 0;
  const size = 10 ** (Math.floor(Math.log10(amount)) + 1 - DIGITS);
  if (size >= 1) return Math.floor(amount / size) * size;
  const fine = 10 ** (DIGITS - 2 - Math.floor(Math.log10(amount)));
  return Math.floor(amount * fine) / fine;
}
