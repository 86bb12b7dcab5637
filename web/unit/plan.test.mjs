// What a model was shown is drawn by parts: each as wide as its share, and what is free stays empty.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { colourOf, segmentsOf, usedOf } = await source('ui/plan.ts');

const part = (name, used, dropped = 0) => ({ part: name, granted: used, used, dropped });
const plan = (total, ...parts) => ({ total, window: 131_072, exact: true, error_percent: 0, parts });

test('the bar is the total, and each part as wide as its share of it', () => {
  const shown = plan(1_000, part('system', 400), part('recent', 0, 7), part('query', 100));
  assert.equal(usedOf(shown), 500);
  assert.deepEqual(segmentsOf(shown).map(({ part: name, width }) => [name, width]), [['system', 40], ['query', 10]]);
});

test('more than the total, or nothing at all, breaks no bar', () => {
  const over = segmentsOf(plan(100, part('system', 150), part('query', 50)));
  assert.equal(over.reduce((sum, { width }) => sum + width, 0), 100);
  assert.deepEqual(segmentsOf(plan(0)), []);
});

test('two parts that meet differ in their pattern, whichever are left out between them', () => {
  const shown = segmentsOf(plan(100, part('system', 10), part('task', 0), part('recent', 10), part('query', 10)));
  assert.deepEqual(shown.map(({ isStriped }) => isStriped), [false, true, false]);
});

test('a part has a colour of its own, one that is not known another', () => {
  const known = ['system', 'user_memory', 'project_memory', 'profile', 'summary', 'related', 'task', 'systems', 'documents', 'sources', 'recent', 'query'].map(colourOf);
  assert.equal(new Set(known).size, known.length);
  assert.ok(!known.includes(colourOf('weather')));
});
