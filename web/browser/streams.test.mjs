// A reply that is still being written when the page or the server goes away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Gate, Model, reply } from './lib/model.mjs';
import { Chat } from './lib/pages.mjs';
import { eventually } from './lib/rest.mjs';
import { startDemo } from './lib/server.mjs';

const BEGINNING = 'The beginning of a long answer that a slow model writes. '.repeat(4).trim();
const END = 'And this is its end.';
const WHOLE = `${BEGINNING} ${END}`;

/** A demo whose project asks a model that stops in the middle until `gate` is opened. */
async function slow(t, gates) {
  const heard = new Gate();
  const model = await new Model((_, nth) => ({
    text: reply(WHOLE),
    before: () => heard.wait(),
    middle: gates[nth - 1] && (() => gates[nth - 1].wait()),
  })).start();
  const server = await startDemo({ WIIIV__LLM__APPROVED_ORIGINS: model.origin });
  await server.rest.changePolicy(server.project, (policy) => model.name(policy));
  t.after(() => {
    [heard, ...gates].forEach((gate) => gate.open());
    model.stop();
    server.remove();
  });
  return { server, model, heard };
}

/** Says it; the model begins once the page listens, for words are told but once. */
async function sayAndListen(chat, heard) {
  const listens = chat.page.waitForResponse((response) => /\/sessions\/[^/]+\/events/.test(response.url()));
  await chat.say('tell me a lot');
  await listens;
  heard.open();
}

async function accepted(server, session) {
  const { items } = await server.rest.get(`/sessions/${session}/history`);
  return items.filter(({ event }) => event === 'accepted').map(({ text }) => text);
}

test('a refresh in the middle of a stream loses nothing and doubles nothing', async (t) => {
  const gate = new Gate();
  const { server, model, heard } = await slow(t, [gate]);
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await sayAndListen(chat, heard);
  await chat.log.getByText('The beginning of a long answer').waitFor();
  assert.equal(await chat.log.getByText(END).count(), 0, 'it is in the middle');
  const session = await chat.session();
  await page.reload();
  await chat.holdsOnce('tell me a lot');
  await chat.button('chat.stop').waitFor();
  gate.open();
  await chat.holdsOnce(WHOLE);
  await chat.rests();
  await page.reload();
  await chat.holdsOnce(WHOLE);
  await chat.holdsOnce('tell me a lot');
  assert.deepEqual(await accepted(server, session), ['tell me a lot']);
  assert.equal(model.requests.length, 1, 'the model was asked once');
});

test('a second window reads the same stream, and a stop in one ends it in both', async (t) => {
  const gate = new Gate();
  const { server, heard } = await slow(t, [gate]);
  const { page, context } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await sayAndListen(chat, heard);
  const session = await chat.session();
  await gate.reached;
  const second = new Chat(await context.newPage());
  await second.open(server, server.project, session);
  await second.holdsOnce('tell me a lot');
  await second.button('chat.stop').click();
  for (const one of [chat, second]) {
    await one.log.getByText(one.t('outcome.cancelled'), { exact: true }).first().waitFor();
    await one.rests();
  }
});

test('a server that is killed in the middle of a stream comes back with all that was said', async (t) => {
  const gate = new Gate();
  const { server, model, heard } = await slow(t, [gate]);
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await sayAndListen(chat, heard);
  await chat.log.getByText('The beginning of a long answer').waitFor();
  const session = await chat.session();
  await server.kill();
  await page.getByText(chat.t('chat.away')).waitFor();
  await chat.holdsOnce('tell me a lot');

  // Said while nobody listens: it waits and is delivered once.
  await chat.say('are you there');
  await chat.holdsOnce('are you there');
  await server.start();
  await page.getByText(chat.t('chat.away')).waitFor({ state: 'detached' });
  await chat.button('chat.stop').waitFor({ state: 'detached', timeout: 20_000 });
  await eventually(async () => (await accepted(server, session)).length === 2, 'both arrive');
  assert.deepEqual(await accepted(server, session), ['tell me a lot', 'are you there']);
  await chat.holdsOnce('tell me a lot');
  await chat.holdsOnce('are you there');
  await chat.log.getByText(WHOLE, { exact: true }).last().waitFor();
  const replies = await chat.log.getByText(WHOLE, { exact: true }).count();
  await page.reload();
  await chat.holdsOnce('are you there');
  assert.equal(await chat.log.getByText(WHOLE, { exact: true }).count(), replies);
  assert.ok(model.requests.length <= 3, `asked ${model.requests.length} times`);
});
