// Where what a record names leads to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { linksOf } = await source('routes/audit/links.ts');

const id = (nth) => `01900000-0000-7000-8000-00000000000${nth}`;

test('a record of a turn leads to why it went as it did', () => {
  const [link, ...others] = linksOf({ turn: id(1), textHmac: 'ab' }, 'p');
  assert.deepEqual([link, others], [{ name: 'turn', id: id(1), href: `/p/p/turns/${id(1)}` }, []]);
});

test('a ruling on a model call leads to its turn, and what no screen shows to its records alone', () => {
  const body = { session: id(2), subject: { kind: 'model_call', call: id(3), task: id(4), turn: id(1) } };
  const found = linksOf(body, 'p').map(({ name, href }) => `${name} ${href}`);
  const screens = [`turn /p/p/turns/${id(1)}`, `session /p/p/chat/${id(2)}`];
  assert.deepEqual(found, [...screens, 'task null', 'call null']);
});
