// Several jobs of one message: each with its own result, and its own proof.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Model, reply } from './lib/model.mjs';
import { Chat } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';

const HELD = { 'one.txt': 'what the first holds', 'two.txt': 'what the second holds' };
const reading = (targetPath) => ({ taskType: 'FILE_READ', slots: { targetPath } });
const writing = (targetPath) => ({ taskType: 'FILE_WRITE', slots: { targetPath, content: 'new' } });
const jobs = (first, ...later) =>
  JSON.stringify({ action: 'EXECUTE', ...first, message: '', taskSwitch: { kind: 'new' }, later });

/** By a word of the message. */
const PROPOSALS = {
  'READ-BOTH': jobs(reading('one.txt'), reading('two.txt')),
  'WRITE-THEN-READ': jobs(writing('made.txt'), reading('two.txt')),
};

const said = new Set();
const model = shared(async () =>
  new Model((asked) => {
    const last = JSON.stringify(asked.messages?.at(-1) ?? asked);
    const word = Object.keys(PROPOSALS).find((one) => last.includes(one));
    // What is asked about a run holds the words that led to it.
    if (word === undefined || said.has(word)) return { text: reply('') };
    said.add(word);
    return { text: PROPOSALS[word] };
  }).start(),
);

const demo = shared(async () => {
  const named = await model();
  const server = await startDemo({ WIIIV__LLM__APPROVED_ORIGINS: named.origin });
  await server.rest.changePolicy(server.project, (policy) => named.name(policy));
  await mkdir(server.ready.workspace, { recursive: true });
  for (const [name, text] of Object.entries(HELD)) {
    await writeFile(join(server.ready.workspace, name), text);
  }
  return server;
});

test('two jobs of one turn: both results are shown, each once and in its own run', async (t) => {
  const server = await demo();
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('READ-BOTH');
  const runs = page.getByRole('region', { name: chat.t('run.title') });
  for (const look of ['as it came', 'read again']) {
    await runs.nth(1).getByText(HELD['two.txt'], { exact: true }).waitFor();
    await runs.nth(0).getByText(HELD['one.txt'], { exact: true }).waitFor();
    assert.equal(await runs.count(), 2, look);
    for (const text of Object.values(HELD)) {
      assert.equal(await chat.log.getByText(text).count(), 1, `${text}, ${look}`);
    }
    await page.reload();
  }
});

test('each decision shows the gates of its own plan', async (t) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, 'WRITE-THEN-READ');
  await server.rest.changePolicy(server.project, (policy) => {
    policy.allowedStepTypes = policy.allowedStepTypes.filter((type) => type !== 'FILE_WRITE');
  });
  const told = await server.rest.say(asked.session, 'yes');
  const rulings = told.filter(({ input }) => input === 'ruling').map(({ outcome }) => outcome);
  assert.deepEqual(rulings, ['deny', 'allow'], 'one turn holds both');
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project, asked.session);
  await chat.log.getByText(HELD['two.txt'], { exact: true }).waitFor();
  await chat.button('chip.ruling_deny').click();
  const why = chat.dialog('decision.title');
  const mark = (name) => why.getByRole('listitem').filter({ has: page.getByText(chat.t(`reason.${name}`), { exact: true }) });
  const gates = (name, answer) => mark(name).getByText(chat.t(`gate_answer.${answer}`), { exact: true });
  await mark('ruling_deny').getByText('STEP_TYPE_NOT_ALLOWED').first().waitFor();
  await gates('ruling_allow', 'allow').nth(3).waitFor();
  assert.equal(await gates('ruling_allow', 'deny').count(), 0, 'what was let through was refused by none');
  // What was denied was refused by one.
  await gates('ruling_deny', 'deny').first().waitFor();
});
