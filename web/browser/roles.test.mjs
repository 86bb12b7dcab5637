// Who may not do something is not offered it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { giveRole, makeMember, shared, startServed } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const served = shared(startServed);
const t = texts('en');

async function entered(test, server, person) {
  const visited = await visit(test, server);
  await enter(visited.page, server, person);
  return visited;
}

const nav = (page, key) => page.getByRole('navigation', { name: t('app.navigation') }).getByRole('link', { name: t(key), exact: true });

test('a viewer reads: no field, no examples, no audit', async (test) => {
  const server = await served();
  const viewer = await makeMember(server, 'kim', 'viewer');
  const { page } = await entered(test, server, viewer);
  await page.goto(`${server.url}/p/${server.admin.project}/chat`);
  await page.getByText(t('chat.read_only')).waitFor();
  assert.equal(await page.getByRole('textbox', { name: t('chat.message') }).count(), 0);
  assert.equal(await page.getByRole('button', { name: t('start_about.write') }).isDisabled(), true);
  await nav(page, 'nav.policy').waitFor();
  assert.equal(await nav(page, 'nav.audit').count(), 0);
});

test('an editor talks, an approver judges and reads the audit', async (test) => {
  const server = await served();
  const editor = await makeMember(server, 'lee', 'editor');
  const approver = await makeMember(server, 'min', 'approver');
  const { page } = await entered(test, server, editor);
  const chat = new Chat(page);
  await chat.open(server, server.admin.project);
  await nav(page, 'nav.audit').waitFor({ state: 'detached' });
  const { page: other } = await entered(test, server, approver);
  await other.goto(`${server.url}/p/${server.admin.project}/chat`);
  await other.getByText(t('chat.read_only')).waitFor();
  await nav(other, 'nav.audit').click();
  await other.getByRole('region', { name: t('audit.chain') }).waitFor();
});

test('whoever may not answer is told which roles may', async (test) => {
  const server = await served();
  const asks = await makeMember(server, 'suh', 'editor');
  const asked = await asks.rest.question(server.admin.project, "Write 'x' to role.md");
  await giveRole(server, asks.user, 'viewer');
  const { page } = await entered(test, server, asks);
  await page.goto(`${server.url}/approvals/${asked.approval}`);
  const pane = page.getByRole('region', { name: t('inbox.question') });
  await pane.getByText(t('inbox.role_needed'), { exact: true }).waitFor();
  assert.equal(await pane.getByRole('button', { name: t('inbox.approve'), exact: true }).count(), 0);
});

test('the conversation of somebody else is not linked: to others it is not there', async (test) => {
  const server = await served();
  const { rest, project } = server.admin;
  const approver = await makeMember(server, 'noh', 'approver');
  const asked = await rest.question(project, "Write 'shared' to shared.md");
  const ran = await rest.question(project, "Write 'ran' to ran.md");
  await rest.say(ran.session, 'yes');
  const [run] = await rest.executions(project);
  const { page } = await entered(test, server, approver);
  await page.goto(`${server.url}/approvals/${asked.approval}`);
  const pane = page.getByRole('region', { name: t('inbox.question') });
  await pane.getByText(t('inbox.requester')).waitFor();
  assert.equal(await page.locator('main a[href*="/chat/"]').count(), 0);
  await page.goto(`${server.url}/p/${project}/executions/${run.id}`);
  await page.getByRole('heading', { name: t('runs.timeline'), exact: true }).waitFor();
  assert.equal(await page.locator('main a[href*="/chat/"]').count(), 0);
  assert.equal(await page.getByRole('button', { name: t('runs.cancel'), exact: true }).count(), 0);
});
