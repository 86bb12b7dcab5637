// What the panel of a conversation shows, and what the form of a policy writes of answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { languageOf, lastWords, toldSlots } = await source('routes/chat/panel.ts');
const { broughtGuardrails, setAnswers, setGuardrails, setProfileSchema } = await source('routes/policy/model.ts');

const turn = (id, message, language = null) => ({ id, message, language });

test('the last three messages are shown in short, and buttons are none', () => {
  const turns = [turn('1', 'one'), turn('2', null), turn('3', 'two'), turn('4', 'three'), turn('5', 'x'.repeat(200))];
  const shown = lastWords(turns);
  assert.deepEqual(shown.map(({ id }) => id), ['3', '4', '5']);
  assert.equal(shown.at(-1).text.length, 120);
  assert.deepEqual(lastWords([]), []);
});

test('the language is the newest one that is known', () => {
  assert.equal(languageOf([turn('1', 'one', 'en'), turn('2', '둘', 'ko'), turn('3', null)]), 'ko');
  assert.equal(languageOf([turn('1', 'one')]), null);
});

test('slots with a value are shown, those of safety first', () => {
  const slot = (name, safety) => ({ name, safety, label: { ko: name, en: name } });
  const schema = { slots: [slot('age', false), slot('weight', false), slot('allergies', true)] };
  const profile = {
    slots: [
      { name: 'age', values: [{ value: '35' }] },
      { name: 'weight', values: [] },
      { name: 'allergies', values: [{ value: 'nuts' }, { value: 'cats', from: '2026-01-02', until: null }] },
    ],
  };
  const told = toldSlots(schema, profile);
  assert.deepEqual(told.map(({ name }) => name), ['allergies', 'age']);
  assert.deepEqual(told[0].values, ['nuts', 'cats (2026-01-02 – )']);
});

test('what is off or not chosen is left out of the policy, as the server writes it', () => {
  const policy = {};
  setAnswers(policy, 'model', true);
  assert.deepEqual(policy, { answers: { check: 'model', refine: true } });
  setAnswers(policy, 'off', true);
  assert.deepEqual(policy, {}, 'nothing is made better that nobody looks at');
  setGuardrails(policy, ['legal']);
  setProfileSchema(policy, 'medical');
  assert.deepEqual(policy, { guardrails: ['legal'], profileSchema: 'medical' });
  assert.deepEqual(broughtGuardrails(policy), ['medical']);
  setGuardrails(policy, []);
  setProfileSchema(policy, '');
  assert.deepEqual([policy, broughtGuardrails(policy)], [{}, []]);
});
