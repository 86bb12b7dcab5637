// What was typed into a form goes out as it was typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { answerOf } = await source('routes/chat/form.ts');

const field = (name, kind) => ({ place: 'body', name, kind, label: '', required: true, choices: [], value: null });
const sent = (kind, typed) => answerOf({ task: 't', fields: [field('n', kind)] }, { 'body.n': typed }).body.n;

test('an integer that a browser cannot hold goes out as its text', () => {
  for (const kind of ['integer', 'number', 'json']) {
    assert.equal(sent(kind, '9007199254740993'), '9007199254740993');
    assert.equal(sent(kind, '-9007199254740993'), '-9007199254740993');
    assert.equal(sent(kind, '9007199254740991'), 9007199254740991);
    assert.equal(sent(kind, '30'), 30);
  }
  assert.equal(sent('number', '1.50'), 1.5);
  assert.equal(sent('integer', 'old'), 'old');
});
