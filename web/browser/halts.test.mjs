// The kill switch: halted by a button with a reason, shown on top of the page, resumed with a reason.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { enter, visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { makePerson, shared, startDemo, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const demo = shared(startDemo);
const served = shared(startServed);

const banner = (page, t) => page.getByRole('region', { name: t('halt.notice') });

/** The dialog of a switch that was pressed. */
async function confirm(page, t, title, button, reason) {
  const dialog = page.getByRole('dialog', { name: t(title) });
  await dialog.getByLabel(t('halt.reason')).fill(reason);
  assert.deepEqual(await faults(page), []);
  await dialog.getByRole('button', { name: t(button), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

for (const language of LANGUAGES) {
  test(`a conversation is halted and resumed with a reason, in ${language}`, async (test) => {
    const server = await demo();
    const t = texts(language);
    const asked = await server.rest.question(server.project, "Write 'held' to held.md");
    const { page } = await visit(test, server, { language });
    const chat = new Chat(page, language);
    await chat.open(server, server.project, asked.session);
    await page.getByRole('button', { name: t('halt.do'), exact: true }).click();
    await confirm(page, t, 'halt_do.session', 'halt.do', 'smoke in the hall');
    await banner(page, t).getByText('smoke in the hall').waitFor();
    assert.deepEqual(await faults(page), []);
    // Nothing begins, and the answer says why.
    const events = await server.rest.say(asked.session, 'yes');
    assert.match(events.find(({ event }) => event === 'reply').text, /halted|정지/);
    const state = await server.rest.get(`/approvals/${asked.approval}`);
    assert.equal(state.state, 'pending');
    // Another conversation of the project is none of it.
    await page.goto(`${server.url}/p/${server.project}/usage`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await banner(page, t).count(), 0);
    await chat.open(server, server.project, asked.session);
    await banner(page, t).getByRole('button', { name: t('halt.resume'), exact: true }).click();
    await confirm(page, t, 'resume_do.session', 'halt.resume', 'it was toast');
    await banner(page, t).waitFor({ state: 'detached' });
    await server.rest.post(`/approvals/${asked.approval}/approve`, { digest: asked.digest });
  });
}

test('a halt of the server stands on every page of everybody, and an administrator alone resumes it', async (test) => {
  const server = await served();
  const t = texts('en');
  const nia = await makePerson(server, 'nia');
  await server.admin.rest.post('/server/halt', { reason: 'incident 42' });
  const { page } = await visit(test, server);
  await enter(page, server, nia);
  for (const path of [`/p/${nia.project}/chat`, `/p/${nia.project}/usage`, '/approvals', '/account']) {
    await page.goto(server.url + path);
    await banner(page, t).getByText('incident 42').waitFor();
    assert.equal(await banner(page, t).getByRole('button').count(), 0, path);
  }
  await server.admin.rest.post('/server/resume', { reason: 'over' });
});

test('an open conversation is told at once', async (test) => {
  const server = await demo();
  const t = texts('en');
  const session = await server.rest.session(server.project);
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project, session);
  await server.rest.say(session, 'hello');
  await chat.holdsOnce('hello');
  await server.rest.post(`/projects/${server.project}/halt`, { reason: 'from elsewhere' });
  await banner(page, t).getByText('from elsewhere').waitFor({ timeout: 5_000 });
  await server.rest.post(`/projects/${server.project}/resume`, { reason: 'over' });
  await banner(page, t).waitFor({ state: 'detached', timeout: 5_000 });
});
