// What the profile page makes of values: a line each, and what a form sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { changedLines, editOf, filledFirst, lineOf, noticeOf, savedTogether, takesDay } = await source('routes/profile/values.ts');
const { grouped } = await source('ui/history.ts');

test('a value is one line, with its days where it has any', () => {
  assert.equal(lineOf({ value: '35' }), '35');
  assert.equal(lineOf({ value: '70', from: null, until: null }), '70');
  assert.equal(lineOf({ value: '70', from: '2026-01-02', until: null }), '70 (2026-01-02 – )');
  assert.equal(lineOf({ value: 'aspirin', from: null, until: '2026-02-01' }), 'aspirin ( – 2026-02-01)');
});

test('only slots with a time take a day', () => {
  const taking = ['overwrite', 'accumulate', 'time_based', 'latest_with_series', 'decay'].filter(takesDay);
  assert.deepEqual(taking, ['time_based', 'latest_with_series', 'decay']);
});

test('a form sends what was typed, composed, and nothing where nothing was', () => {
  assert.deepEqual(editOf('age', ' 35 ', ''), { slot: 'age', op: 'set', value: '35', day: null });
  assert.equal(editOf('symptoms', '\u1112\u1161\u11ab', '').value, '한');
  assert.equal(editOf('weight', '70', '2026-01-02').day, '2026-01-02');
  assert.equal(editOf('age', ' \t', '2026-01-02'), null);
});

test('a row is taken away by its own day, and by none where its slot has no time', async () => {
  const { removalOf } = await source('routes/profile/values.ts');
  const [weight, age] = [{ name: 'weight', policy: 'latest_with_series' }, { name: 'age', policy: 'overwrite' }];
  const value = { value: '70', from: null, at: '2026-01-03T23:59:59.000Z' };
  assert.deepEqual(removalOf(weight, value), { slot: 'weight', op: 'remove', value: '70', day: '2026-01-03' });
  assert.equal(removalOf(weight, { ...value, from: '2026-01-02' }).day, '2026-01-02');
  assert.equal(removalOf(age, value).day, null);
});

test('what a version changed is told by the names of its slots', () => {
  const changes = [
    { slot: 'age', kind: 'removed', value: '34' },
    { slot: 'age', kind: 'added', value: '35' },
  ];
  assert.deepEqual(changedLines(changes, () => 'Age'), [
    { change: 'removed', text: 'Age: 34' },
    { change: 'added', text: 'Age: 35' },
  ]);
});

test('slots that hold something come first, else in the order of the schema', () => {
  const slots = ['allergies', 'age', 'weight', 'sleep'].map((name) => ({ name }));
  const held = [{ name: 'allergies', values: [] }, { name: 'weight', values: [{}] }, { name: 'age', values: [{}] }];
  assert.deepEqual(filledFirst(slots, held).map(({ name }) => name), ['age', 'weight', 'allergies', 'sleep']);
});

test('what one message or one sitting told stands under one heading', () => {
  const version = (number, minute, { how = 'changed', turn = null, author = 'kim' } = {}) => {
    return { version: number, author, how, turn, at: new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString() };
  };
  const versions = [
    version(8, 40, { turn: 'b' }),
    version(7, 40, { turn: 'a' }),
    version(6, 39, { turn: 'a', how: 'accepted' }),
    version(5, 38),
    version(4, 37, { how: 'restored' }),
    version(3, 12),
    version(2, 2),
    version(1, 2, { author: 'lee' }),
  ];
  const numbers = grouped(versions, savedTogether).map((group) => group.map(({ version: number }) => number));
  assert.deepEqual(numbers, [[8], [7, 6], [5], [4], [3, 2], [1]]);
  assert.deepEqual(grouped([], savedTogether), []);
});

test('what changed nothing is not said to be saved', () => {
  const waits = { version: 3, outcomes: [{ outcome: 'kept' }, { outcome: 'waits' }] };
  assert.equal(noticeOf(2, { version: 3, outcomes: [] }), 'profile.saved');
  assert.equal(noticeOf(3, { version: 3, outcomes: [] }), 'profile.same');
  assert.deepEqual([noticeOf(2, waits), noticeOf(3, waits)], ['profile.asked', 'profile.asked']);
});
