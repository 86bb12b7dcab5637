// Runs of a suite put together: nothing that a player reports is taken for granted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { coverageOf, differenceOf, matrixOf, tallyOf, wordsOf } = await source('routes/ghost/suite.ts');
const { caseOf, differing, ofProject } = await source('routes/ghost/ledger.ts');

const run = (scenario, verdict = 'PASS', changes = {}) => ({ scenario, verdict, repeat: 1, invariants: 'held', report: {}, ...changes });

test('scenarios stand by number and repeats side by side, a variant on a line of its own', () => {
  const runs = [
    run('C10'), run('C9', 'FAIL', { repeat: 2 }), run('C9'), run('C9', 'PASS', { report: { variant: 'silent' } }),
    run('C10', 'PASS', { repeat: null }), run('C9', 'ERROR', { repeat: 2 }),
  ];
  const { repeats, lines } = matrixOf(runs);
  assert.deepEqual(repeats, [0, 1, 2]);
  assert.deepEqual(lines.map(({ name }) => name), ['C9', 'C9 silent', 'C10']);
  assert.deepEqual(lines[0].cells.get(2).map(({ verdict }) => verdict), ['FAIL', 'ERROR'], 'told twice');
  assert.deepEqual(tallyOf(lines[0].runs), { of: 3, passed: 1, partial: 0, violated: 0 });
  assert.deepEqual(matrixOf([]), { repeats: [], lines: [] });
});

test('a difference is one of shares, and a violated invariant weighs more than what passed', () => {
  const twice = (scenario, ...verdicts) => verdicts.map((verdict, at) => run(scenario, verdict, { repeat: at + 1 }));
  const before = [...twice('A', 'PASS', 'FAIL'), run('B'), run('C', 'FAIL'), run('D'), run('E', 'PARTIAL'), run('G', 'FAIL')];
  const after = [
    ...twice('A', 'PASS', 'FAIL', 'PASS', 'FAIL'), ...twice('B', 'PASS', 'FAIL'), run('C'), run('E', 'PARTIAL'), run('F'),
    run('G', 'PASS', { invariants: 'violated' }),
  ];
  const found = differenceOf(before, after);
  assert.deepEqual(found.map(({ name, kind }) => [name, kind]), [['B', 'worse'], ['G', 'worse'], ['D', 'gone'], ['F', 'added'], ['C', 'better']]);
  assert.deepEqual(found.map(({ before, after }) => [before === null, after === null]).slice(2, 4), [[false, true], [true, false]]);
});

test('of a report only what is known of it is read', () => {
  const odd = [{}, { visited: null }, { visited: 'gates' }, { visited: { gates: 'x', denials: [1, null, 'B', 'A', 'B'] } }];
  const runs = odd.map((report) => run('A', 'PASS', { report }));
  const [transitions, gates, denials] = coverageOf(runs, null);
  assert.deepEqual([transitions.visited, gates.visited, denials.visited], [[], [], ['A', 'B']]);
  assert.deepEqual([denials.found, denials.lost], [[], []], 'nothing to compare with');
  const baseline = [run('A', 'PASS', { report: { visited: { denials: ['B', 'C'] } } })];
  assert.deepEqual(coverageOf(runs, baseline)[2], { part: 'denials', visited: ['A', 'B'], found: ['A'], lost: ['C'] });
});

test('who says so is counted by key', () => {
  const by = (word, signed_by) => run('A', 'PASS', { word, signed_by });
  const words = wordsOf([by('signed', 'ci'), by('claimed', null), by('signed', 'ci'), by('signed', 'lab')]);
  assert.deepEqual(words, [
    { word: 'signed', by: 'ci', count: 2 }, { word: 'claimed', by: '', count: 1 }, { word: 'signed', by: 'lab', count: 1 },
  ]);
});

test('the ledger speaks for exactly one case, and each model of a project is told once', () => {
  const ghost = { build: 'b', prompt_hash: 'q', policy_hash: 'p', standing: 'verified' };
  const slot = (name, model) => ({ slot: name, model: model && { provider: 'OPENAI', model, ghost } });
  const effective = {
    provider: { value: 'OPENAI' }, model: { value: 'm' }, ghost, fallbacks: [{ provider: 'OFFLINE', model: 'offline', ghost: null }],
    slots: [slot('generator', 'm'), slot('embedding', 'e'), slot('generator', null)],
  };
  const told = ofProject(effective);
  assert.deepEqual(told, [{ provider: 'OPENAI', model: 'm', ghost }]);
  const result = { provider: 'OPENAI', model: 'm', build: 'b', prompt_hash: 'q', policy_hash: 'p' };
  assert.equal(caseOf(told, result), told[0]);
  for (const [field, parts] of [['build', ['build']], ['prompt_hash', ['prompts']], ['policy_hash', ['policy']], ['model', []]]) {
    const other = { ...result, [field]: 'other' };
    assert.equal(caseOf(told, other), null, field);
    assert.deepEqual(differing(told, other), parts);
  }
  assert.deepEqual(differing([], result), ['build', 'prompts', 'policy']);
});
