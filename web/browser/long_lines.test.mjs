// A line of a megabyte, streamed by a model or answered by a service: cut, and whole on demand. What
// keeps the page quick is how little is drawn at once; that is counted, time is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Model, reply } from './lib/model.mjs';
import { Chat, fitsSideways } from './lib/pages.mjs';
import { begun, eventually } from './lib/rest.mjs';
import { json, Service } from './lib/service.mjs';
import { shared, startDemo } from './lib/server.mjs';

const MEGABYTE = 1_000_000;
/** The most that is shown of an answer without a download. */
const SHOWN_ANSWER = 400_000;
/** Characters of one whole page. */
const DRAWN_MAX = 100_000;
/** A reply of so many is taken, in one line. */
const REPLY_CHARS = 15_000;

const service = shared(() =>
  new Service({
    '/long': (_, response) => json(response, { total: 1, next: 'page-2', items: [{ id: 1, text: 'o'.repeat(SHOWN_ANSWER) }] }),
    '/huge': (_, response) => json(response, { text: 'o'.repeat(MEGABYTE) }),
  }).start(),
);
const demo = shared(async () => {
  const [server, there] = await Promise.all([startDemo(), service()]);
  await server.rest.changePolicy(server.project, (policy) => there.allow(policy));
  return server;
});

/** In a page: the most that was drawn at once. */
function measure() {
  window.most = 0;
  const look = () => (window.most = Math.max(window.most, document.body?.textContent.length ?? 0));
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}

async function measured(t, server) {
  const visited = await visit(t, server);
  await visited.context.addInitScript(measure);
  return visited;
}

async function drawsLittle(page, where) {
  const most = await page.evaluate(() => window.most);
  assert.ok(most > 0 && most < DRAWN_MAX, `${where}: ${most} characters were drawn`);
  await fitsSideways(page);
}

test('of a model: while it is written, and what is taken of it', async (t) => {
  let chars = MEGABYTE;
  const model = await new Model(() => ({ text: reply('m'.repeat(chars)) })).start();
  t.after(() => model.stop());
  const server = await startDemo({ WIIIV__LLM__APPROVED_ORIGINS: model.origin });
  t.after(() => server.remove());
  await server.rest.changePolicy(server.project, (policy) => model.name(policy));
  const { page } = await measured(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('say something long');
  // More than a reply may hold is no reply.
  await chat.log.getByRole('button', { name: chat.t('chip.proposed_failed'), exact: true }).waitFor();
  await chat.rests();
  await drawsLittle(page, 'a megabyte');

  chars = REPLY_CHARS;
  await chat.say('say something');
  const frame = chat.log.getByRole('figure').filter({ hasText: chat.t('chat.from_model') });
  await frame.getByRole('button', { name: /^Show more/ }).click();
  await eventually(async () => (await frame.textContent()).split('m').length > REPLY_CHARS, 'the whole reply');
  await drawsLittle(page, 'the longest reply');
});

test('of a service: cut with the rest behind a press, what stands beside it too, or for a download', async (t) => {
  const [server, there] = await Promise.all([demo(), service()]);
  const { page } = await measured(t, server);
  const chat = new Chat(page);
  const shown = await begun(server, `GET ${there.url}/long and save it to long.json`);
  // A conversation opens the first output of a run by itself; a page of a run waits for a press.
  for (const [path, opens] of [[`/chat/${shown.session}`, true], [`/executions/${shown.execution}`, false]]) {
    await page.goto(`${server.url}/p/${server.project}${path}`);
    if (!opens) await page.getByRole('button', { name: chat.t('run.show'), exact: true }).first().click();
    await page.getByText('page-2').first().waitFor();
    const more = page.getByRole('button', { name: /^Show more/ }).first();
    await more.waitFor();
    await drawsLittle(page, path);
    await more.click();
    await eventually(async () => (await page.evaluate(() => window.most)) > 5_000, 'more of it');
    await drawsLittle(page, `${path}, more`);
  }
  const huge = await begun(server, `GET ${there.url}/huge and save it to huge.json`);
  await page.goto(`${server.url}/p/${server.project}/executions/${huge.execution}`);
  await page.getByText(chat.t('runs_state.succeeded')).waitFor();
  await drawsLittle(page, 'a megabyte of an answer');
});
