// Whose documents, how far files are, and where an answer cites.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const places = await source('routes/documents/places.ts');
const { embeddedOf, isOver, lacksVectors, replacedBy, sentTo, sumOf, toneOf } = await source('routes/documents/rows.ts');
const { citedParts } = await source('routes/chat/cite.ts');
const { citedIn } = await source('routes/chat/panel.ts');
const { setRagForInformation } = await source('routes/policy/model.ts');

test('a scope is written as the server has it, and read back', () => {
  const here = { user: 'u-1', project: 'p-1' };
  const written = places.PLACES.map((place) => places.scopeOf(place, here));
  assert.deepEqual(written, ['user:u-1', 'project:p-1', 'global']);
  assert.deepEqual(written.map(places.placeOf), places.PLACES);
  assert.deepEqual(written.map(places.idOf), ['u-1', 'p-1', '']);
  assert.deepEqual(written.map(places.ingestPath), ['/rag/users/u-1/ingest', '/rag/projects/p-1/ingest', '/rag/global/ingest']);
});

test('owners and editors write in a project, administrators what is everybody’s, and each their own', () => {
  const may = (mine, isAdmin) => places.PLACES.map((place) => places.mayWriteIn(place, mine, isAdmin));
  assert.deepEqual(may([], false), [true, false, false]);
  assert.deepEqual(may(['viewer', 'approver'], true), [true, false, true]);
  for (const role of ['owner', 'editor']) assert.deepEqual(may([role], false), [true, true, false], role);
});

test('an address names a passage, or nothing', () => {
  assert.equal(places.passagePath('p', 'd', 7), '/p/p/documents/d?passage=7');
  assert.equal(places.passagePath('p', 'd', 7, 2), '/p/p/documents/d?passage=7&version=2');
  assert.deepEqual(['0', '12', '', '-1', '1e3', '1'.repeat(10), null].map(places.numberOf), [0, 12, null, null, null, null, null]);
  assert.deepEqual([0, 19, 20, 41].map(places.windowOf), [0, 0, 20, 40]);
});

test('what is on its way is told by its state, and how much is left where that is known', () => {
  const states = ['queued', 'reading', 'cutting', 'embedding', 'ready', 'failed', 'cancelled'];
  assert.deepEqual(states.filter((state) => isOver({ state })), ['ready', 'failed', 'cancelled']);
  for (const state of states) assert.ok(toneOf({ state }), state);
  assert.equal(embeddedOf({ state: 'reading', embedded: 0, to_embed: 0 }), null);
  assert.equal(embeddedOf({ state: 'embedding', embedded: 0, to_embed: 0 }), null, 'there is no model of meaning');
  assert.deepEqual(embeddedOf({ state: 'embedding', embedded: 8, to_embed: 20 }), { done: 8, all: 20 });
  const jobs = states.map((state) => ({ state }));
  assert.deepEqual(sumOf(jobs, 2, 1), { all: 10, ready: 1, failed: 3 });
});

test('a model is named where texts go to it, and an ingest without vectors is known', () => {
  const job = { state: 'ready', code: null, sent_to: 'openai:m', embedded: 2, to_embed: 2 };
  assert.equal(sentTo(job), 'openai:m');
  assert.equal(sentTo({ ...job, state: 'queued', embedded: 0, to_embed: 0 }), 'openai:m');
  assert.equal(sentTo({ ...job, sent_to: undefined }), null);
  assert.equal(sentTo({ ...job, state: 'failed', code: 'DAMAGED', embedded: 0, to_embed: 0 }), null);
  assert.equal(sentTo({ ...job, embedded: 0, to_embed: 0 }), null, 'nothing of it was new');
  assert.equal(sentTo({ ...job, code: 'NOT_EMBEDDED', embedded: 0 }), 'openai:m', 'it gave no answer');
  assert.equal(sentTo({ ...job, code: 'NOT_EMBEDDED_KEY', embedded: 0 }), 'openai:m', 'the provider turned it away');
  for (const why of ['REFUSED', 'ORIGIN', 'UNPRICED', 'NO_RIGHT']) assert.equal(sentTo({ ...job, code: `NOT_EMBEDDED_${why}`, embedded: 0 }), null, why);
  assert.equal(sentTo({ ...job, code: 'NOT_EMBEDDED_BUDGET', embedded: 1 }), 'openai:m', 'a part went');
  const codes = [null, 'NOT_EMBEDDED', 'NOT_EMBEDDED_BUDGET', 'NOT_EMBEDDED_REFUSED'];
  assert.deepEqual(codes.map((code) => lacksVectors({ state: 'ready', code })), [false, true, true, true]);
  assert.equal(lacksVectors({ state: 'failed', code: 'DAMAGED' }), false);
});

test('an ingest that changed a document is told from one that made it', () => {
  const job = { created_at: '2026-01-02T00:00:00.000Z' };
  const view = (version, day) => ({ version, updated_at: `2026-01-0${day}T00:00:01.000Z` });
  assert.equal(replacedBy(job, view(1, 2)), null);
  assert.equal(replacedBy(job, view(2, 2)), 2);
  assert.equal(replacedBy(job, view(2, 1)), null, 'it holds what it held');
});

/** Texts and, where they cite, numbers. */
const parts = (text, ...numbers) =>
  citedParts(text, numbers.map((number) => ({ number }))).map(({ text, citation }) => (citation ? citation.number : text));

test('a number in brackets cites the passage of that number, and no other', () => {
  assert.deepEqual(parts('연차는 15일입니다 [2][1].', 1, 2), ['연차는 15일입니다 ', 2, 1, '.']);
  assert.deepEqual(parts('[1]', 1), [1]);
  assert.deepEqual(parts('[3] is unknown, [1234] and [x] are words', 1), ['[3] is unknown, [1234] and [x] are words']);
  assert.deepEqual(parts('', 1), []);
});

test('what stands between backticks is code; an open one is a character', () => {
  for (const code of ['`a[1]`', '``b`[1]``', '```\nx[1] = 1\n```\n']) assert.deepEqual(parts(code, 1), [code]);
  assert.deepEqual(parts('`[1]` but [1]', 1), ['`[1]` but ', 1]);
  assert.deepEqual(parts('an open ` tick [1]', 1), ['an open ` tick ', 1]);
});

test('a text made of marks is read in no time', () => {
  const hostile = Array.from({ length: 2_000 }, (_, nth) => `${'`'.repeat((nth % 60) + 1)} `).join('');
  const begun = performance.now();
  parts(hostile, 1);
  assert.ok(performance.now() - begun < 2_000);
});

test('what a conversation cites is told once, the newest first', () => {
  const cites = (document, passage) => ({ document, passage });
  const said = (...citations) => ({ said: [{ seq: 1, citations }] });
  const turns = [said(cites('a', 0), cites('b', 1)), { said: [{ seq: 2 }] }, said(cites('a', 0), cites('a', 3))];
  assert.deepEqual(citedIn(turns), [cites('a', 0), cites('a', 3), cites('b', 1)]);
  const many = said(...Array.from({ length: 30 }, (_, passage) => cites('a', passage)));
  assert.equal(citedIn([many]).length, 20);
  assert.deepEqual(citedIn([]), []);
});

test('the switch is left out of the policy where it is off, as the server writes it', () => {
  const policy = {};
  setRagForInformation(policy, true);
  assert.deepEqual(policy, { ragForInformation: true });
  setRagForInformation(policy, false);
  assert.deepEqual(policy, {});
});
