// What is left of a budget, and where it is said to run out: only where days say so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { clockOf, courseOf, leftOf, monthStart, paceOf, roughly, spentByDay } = await source('routes/usage/burn.ts');

const TODAY = '2026-11-10';
const NOON = Date.parse(`${TODAY}T12:00:00Z`);
const row = (day, tokens, micros = 0, calls = 1) => ({ day, sums: { calls, tokens, micros } });
const on = (day) => `2026-11-${String(day).padStart(2, '0')}`;
/** The amounts of the first days of the month, the last one today's. */
const spent = (...amounts) => spentByDay(amounts.map((amount, at) => row(on(at + 1), amount, 0, amount ? 1 : 0)), on(amounts.length), 'tokens');
const clock = (elapsed) => ({ elapsed, length: 30 });

test('each day of the month is there, with all before it, whatever order the rows come in', () => {
  const rows = [row('2026-11-09', 5, 50), row('2026-11-02', 3, 30), row('2026-11-09', 2, 20), row('2026-10-31', 99, 99)];
  const days = spentByDay(rows, TODAY, 'tokens');
  assert.equal(monthStart(TODAY), '2026-11-01');
  assert.deepEqual(days.map(({ day }) => day), Array.from({ length: 10 }, (_, at) => on(at + 1)));
  assert.deepEqual(days.map(({ amount }) => amount), [0, 3, 0, 0, 0, 0, 0, 0, 7, 0]);
  assert.deepEqual(days.map(({ soFar }) => soFar), [0, 3, 3, 3, 3, 3, 3, 3, 10, 10]);
  assert.deepEqual(days.map(({ calls }) => calls), [0, 1, 0, 0, 0, 0, 0, 0, 2, 0]);
  assert.equal(spentByDay(rows, TODAY, 'micros').at(-1).soFar, 100);
  assert.deepEqual(spentByDay([], on(1), 'tokens'), [{ day: on(1), calls: 0, amount: 0, soFar: 0 }]);
});

test('the clock is in days of the month, and a wrong one stays within the day of the server', () => {
  assert.deepEqual(clockOf(TODAY, NOON), { elapsed: 9.5, length: 30 });
  assert.equal(clockOf(TODAY, NOON - 5 * 86_400_000).elapsed, 9);
  assert.equal(clockOf(TODAY, NOON + 5 * 86_400_000).elapsed, 10);
  assert.deepEqual(['2026-12-01', '2026-02-01', '2028-02-01'].map((day) => clockOf(day, 0).length), [31, 28, 29]);
});

test('a pace takes three whole days with use: today is not over, and idle days are none', () => {
  assert.equal(paceOf(spent(9)), null);
  assert.equal(paceOf(spent(10, 20, 30)), null, 'the third is today');
  assert.equal(paceOf(spent(10, 0, 0, 0, 20, 0, 5)), null);
  assert.equal(paceOf(spent(10, 20, 30, 0)), 20);
  assert.equal(paceOf(spent(10, 20, 30, 1_000_000)), 20, 'today says nothing yet');
});

test('a pace is counted from the first day with use, with the idle days since', () => {
  assert.equal(paceOf(spent(0, 0, 0, 10, 20, 0, 30, 0)), 15);
});

test('what is promised to calls under way is not left', () => {
  assert.equal(leftOf({ cap: 100, used: 60 }), 40);
  assert.equal(leftOf({ cap: 100, used: 100 }), 0);
  assert.equal(leftOf({ cap: 50, used: 100 }), 0, 'a cap that was lowered');
});

test('it runs out on the day that the pace leads to, from this hour on', () => {
  const days = spent(10, 10, 10, 10);
  const course = courseOf(days, { cap: 100, used: 40 }, clock(3.5));
  assert.deepEqual(course, { kind: 'ends', pace: 10, day: on(10), at: 9.5 });
  assert.equal(courseOf(days, { cap: 45, used: 40 }, clock(3.5)).day, on(5));
  assert.equal(courseOf(days, { cap: 44, used: 40 }, clock(3.5)).day, on(4), 'still today');
  assert.equal(courseOf(days, { cap: 304, used: 40 }, clock(3.5)).day, on(30));
});

test('it lasts where the month ends first, and then it is said how much that is', () => {
  const course = courseOf(spent(10, 10, 10, 10), { cap: 305, used: 40 }, clock(3.5));
  assert.deepEqual(course, { kind: 'lasts', pace: 10, total: 305 });
});

test('nothing is foretold of too few days, nor of what is used up', () => {
  assert.deepEqual(courseOf(spent(10, 10, 10), { cap: 100, used: 30 }, clock(2.5)), { kind: 'early' });
  assert.deepEqual(courseOf(spent(0, 0, 0, 0, 0), { cap: 100, used: 0 }, clock(4.5)), { kind: 'early' });
  assert.deepEqual(courseOf(spent(10, 10, 10, 70), { cap: 100, used: 100 }, clock(3.5)), { kind: 'spent' });
  assert.deepEqual(courseOf(spent(0), { cap: 0, used: 0 }, clock(0.5)), { kind: 'spent' });
});

test('a guess has few digits, and never rounds up to a cap that it stays below', () => {
  assert.deepEqual([0, 7, 123, 9_999, 12_345.6, 99_960].map(roughly), [0, 7, 123, 9_990, 12_300, 99_900]);
  assert.equal(roughly(0.1567), 0.15);
  assert.equal(roughly(99.6), 99);
});
