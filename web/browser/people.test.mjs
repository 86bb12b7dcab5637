// Who said and decided what, as each of two people sees it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { eventually } from './lib/rest.mjs';
import { makeMember, shared, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const served = shared(async () => {
  const server = await startServed();
  await server.admin.rest.changePolicy(server.admin.project, (policy) => {
    policy.approval.normal.by = 'another_person';
  });
  return server;
});

async function entered(test, server, person, options = {}) {
  const visited = await visit(test, server, options);
  await enter(visited.page, server, person);
  return visited.page;
}

for (const language of LANGUAGES) {
  test(`the reason of a rejection stands under the approver's name (${language})`, async (test) => {
    const server = await served();
    const lee = await makeMember(server, `lee-${language}`, 'editor');
    const min = await makeMember(server, `min-${language}`, 'approver');
    const say = texts(language);
    const mine = await entered(test, server, lee, { language });
    const chat = new Chat(mine, language);
    await chat.open(server, server.admin.project);
    await chat.say("Write 'x' to reason.md");
    await mine.getByText(say('chat.they_decide')).waitFor();

    const theirs = await entered(test, server, min, { language });
    const { items } = await min.rest.get('/approvals?state=pending');
    const asked = items.find(({ requester }) => requester === lee.user);
    await theirs.goto(`${server.url}/approvals/${asked.id}`);
    const pane = theirs.getByRole('region', { name: say('inbox.question') });
    await pane.getByRole('button', { name: say('inbox.reject'), exact: true }).click();
    const dialog = theirs.getByRole('dialog', { name: say('inbox.reject_title') });
    await dialog.getByRole('textbox', { name: say('inbox.reason') }).fill('Delete old.md instead');
    await dialog.getByRole('button', { name: say('inbox.reject_do') }).click();

    await chat.holdsOnce('Delete old.md instead');
    const answer = say('approval_by.rejected', { name: min.name });
    await chat.log.getByText(answer).first().waitFor();
    // Bubbles are the requester's own messages.
    const said = await chat.log.locator('.bubble').allInnerTexts();
    assert.equal(said.length, 1, 'one message was said');
    assert.ok(!said[0].includes('old.md'), said[0]);
  });
}

test('an approver reads in the audit why a turn of somebody else went as it did, and no word of it', async (test) => {
  const server = await served();
  const say = texts('en');
  const { project } = server.admin;
  const lee = await makeMember(server, 'lee-turn', 'editor');
  const min = await makeMember(server, 'min-turn', 'approver');
  const session = await lee.rest.session(project);
  const [{ turn }] = await lee.rest.say(session, 'good canary morning');
  const { items } = await min.rest.get(`/projects/${project}/audit?kind=turn.accepted`);
  const { seq } = items.find(({ body }) => body.turn === turn);
  const theirs = await entered(test, server, min);
  await theirs.goto(`${server.url}/p/${project}/audit?kind=turn.accepted&record=${seq}`);
  const record = theirs.getByRole('dialog', { name: say('audit.record', { seq }) });
  await record.getByRole('link', { name: say('audit.open'), exact: true }).click();
  await theirs.waitForURL(`**/turns/${turn}`);
  await theirs.getByRole('heading', { name: say('why.calls') }).waitFor();
  await theirs.getByText(say('why.request_hash')).waitFor();
  assert.doesNotMatch(await theirs.getByRole('main').innerText(), /canary/);
});

test('requester and approver are named in the run, its reasons and the audit', async (test) => {
  const server = await served();
  const say = texts('en');
  const lee = await makeMember(server, 'lee-named', 'editor');
  const min = await makeMember(server, 'min-named', 'approver');
  const { project } = server.admin;
  const asked = await lee.rest.question(project, "Write 'x' to named.md");
  await min.rest.post(`/approvals/${asked.approval}/approve`, { digest: asked.digest });
  const run = await eventually(async () => {
    const { execution } = await min.rest.get(`/approvals/${asked.approval}`);
    return execution;
  }, 'the run');
  const page = await entered(test, server, min);
  await page.goto(`${server.url}/p/${project}/executions/${run}`);
  await page.getByText(lee.name, { exact: true }).waitFor();
  const standing = page.getByRole('region', { name: say('runs.standing'), exact: true });
  await standing.getByText(min.name, { exact: true }).waitFor();
  await page.goto(`${server.url}/p/${project}/executions`);
  await page.getByText(`${lee.name} · ${say('approval_by.approved', { name: min.name })}`).waitFor();
  await page.goto(`${server.url}/p/${project}/why/${asked.blueprint}`);
  await page.getByText(say('why.asked_by', { name: lee.name })).waitFor();
  await page.getByText(say('approval_by.consumed', { name: min.name })).waitFor();
  await page.goto(`${server.url}/p/${project}/audit?kind=approval.given`);
  await page.getByRole('table').getByText(min.name).first().waitFor();
});

test('a second tab tells who answered, and when', async (test) => {
  const server = await served();
  const say = texts('en');
  const min = await makeMember(server, 'min-second', 'approver');
  const noh = await makeMember(server, 'noh-second', 'approver');
  const asked = await server.admin.rest.question(server.admin.project, "Write 'x' to second.md");
  const page = await entered(test, server, min);
  await page.goto(`${server.url}/approvals/${asked.approval}`);
  const pane = page.getByRole('region', { name: say('inbox.question') });
  await pane.getByRole('button', { name: say('inbox.reject'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: say('inbox.reject_title') });
  await noh.rest.post(`/approvals/${asked.approval}/approve`, { digest: asked.digest });
  await dialog.getByRole('button', { name: say('inbox.reject_do') }).click();
  await dialog.getByRole('alert').getByText(/noh-second approved it at 20/).waitFor();
  await dialog.getByRole('button', { name: say('ui.close'), exact: true }).last().click();
  await pane.getByText(say('inbox.decided'), { exact: true }).waitFor();
  await pane.getByText(`(${noh.name})`).waitFor();
});
