// What is offered under the last turn, and what a turn without words says that was pressed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { isAtWork, pressedOf, recallsOf } = await source('routes/chat/recall.ts');

let made = 0;
/** `signal say`, `proposed execute`, `not_drawable` … */
const turn = (outcome, marks, { message = 'words', steps = [] } = {}) => ({
  id: `${++made}`,
  message,
  outcome,
  flow: marks.map((mark, seq) => {
    const [input, told = null] = mark.split(' ');
    return { seq, input, outcome: told };
  }),
  runs: [{ steps: steps.map((step) => ({ step, state: 'succeeded' })) }],
});
const offered = (...turns) => recallsOf(turns.at(-1), turns).join(' ');
const ASKED = ['signal say', 'proposed execute', 'verdict yes', 'drawn requester'];
const RAN = ['approved', 'ruling allow', 'finished succeeded'];

test('plain talk and a model that fails decide nothing', () => {
  assert.equal(offered(turn('done', ['signal say', 'proposed reply'])), 'list_files');
  const failed = turn('error', ['signal say', 'proposed failed']);
  assert.equal(offered(failed), 'list_files');
  assert.equal(isAtWork(failed, [failed]), false, 'its words can be said again');
});

test('what waits, what was done and what was refused is explained', () => {
  const asks = turn('pending', ASKED);
  assert.equal(offered(asks), 'why list_files');
  assert.equal(offered(asks, turn('done', RAN, { message: null, steps: ['call'] })), 'why list_files');
  assert.equal(offered(asks, turn('done', RAN, { message: null, steps: ['call', 'save'] })), 'why show_saved list_files');
  assert.equal(offered(turn('denied', ['signal say', 'proposed execute', 'verdict no'])), 'why again list_files');
  assert.equal(offered(turn('denied', ['signal say', 'proposed execute', 'not_drawable'])), 'why again list_files');
  assert.equal(offered(turn('done', ['signal say', 'proposed ask'])), 'list_files', 'a value is lacking');
});

test('a no ends what was at work before it; a message that was stopped was no request yet', () => {
  const asks = turn('pending', ASKED);
  assert.equal(offered(asks, turn('cancelled', ['signal deny'], { message: 'no' })), 'why again list_files');
  assert.equal(offered(asks, turn('cancelled', ['refused'], { message: null })), 'why again list_files');
  const stopped = turn('cancelled', ['signal say']);
  assert.equal(offered(stopped), 'list_files');
  assert.equal(offered(stopped, turn('cancelled', ['signal cancel'], { message: null })), 'list_files');
  assert.equal(offered(turn('cancelled', ['signal cancel'], { message: null })), 'list_files', 'the first that is known');
});

test('a button says what it was; words are words', () => {
  const pressed = (marks, message = null) => pressedOf(turn('done', marks, { message }));
  assert.deepEqual(['why', 'again', 'list_files', 'show_saved'].map((recall) => pressed([`signal ${recall}`])), ['why', 'again', 'list_files', 'show_saved']);
  assert.equal(pressed(['signal cancel']), null);
  assert.equal(pressed(['signal say', 'proposed why', 'proposed told'], 'why?'), null);
  assert.equal(offered(turn('done', ['signal why', 'proposed told'], { message: null })), 'list_files');
});

test('behind an explanation the rest is still offered', () => {
  const denied = turn('denied', ['signal say', 'proposed execute', 'verdict no']);
  const pressedWhy = turn('done', ['signal why', 'proposed told'], { message: null });
  const saidWhy = turn('done', ['signal say', 'proposed why', 'proposed told'], { message: 'why?' });
  assert.equal(offered(denied, pressedWhy), 'again list_files');
  assert.equal(offered(denied, saidWhy, pressedWhy), 'again list_files');
  const saved = turn('done', RAN, { message: null, steps: ['save'] });
  assert.equal(offered(saved, saidWhy), 'show_saved list_files');
});
