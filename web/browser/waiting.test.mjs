// What waits arrives by itself: the badge, the title, and what a list shows of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const demo = shared(startDemo);
const t = texts('en');
const ARRIVES_MS = 2_000;

test('a question that is asked elsewhere is counted within two seconds, in the title too', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/policy`);
  await page.getByRole('heading', { name: t('policy.title') }).waitFor();
  // The stream is open before the question is asked.
  await page.waitForTimeout(500);
  const asked = await server.rest.question(server.project, "Write 'soon' to soon.md");
  const badge = page.getByRole('link', { name: t('app.waiting', { count: 1 }) });
  await badge.first().waitFor({ timeout: ARRIVES_MS });
  assert.match(await page.title(), /^\(1\) /);
  await server.rest.post(`/approvals/${asked.approval}/reject`, { digest: asked.digest, reason: '' });
  await badge.first().waitFor({ state: 'detached', timeout: ARRIVES_MS });
  assert.doesNotMatch(await page.title(), /^\(/);
});

test('lists are titled by the request and its effect', async (test) => {
  const server = await demo();
  const words = "Write 'titled' to titled.md";
  const asked = await server.rest.question(server.project, words);
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/approvals`);
  await page.getByRole('link', { name: `${words} · write` }).waitFor();
  await server.rest.post(`/approvals/${asked.approval}/approve`, { digest: asked.digest });
  await page.goto(`${server.url}/p/${server.project}/executions`);
  await page.getByRole('link', { name: `${words} · write` }).waitFor();
});

test('a conversation is renamed, pinned and deleted; what waits in it is marked', async (test) => {
  const server = await demo();
  const words = "Write 'kept' to kept.md";
  const asked = await server.rest.question(server.project, words);
  const { page } = await visit(test, server, { width: 1440 });
  const chat = new Chat(page);
  await chat.open(server, server.project, asked.session);
  const list = page.getByRole('navigation', { name: t('chat.sessions') });
  await list.getByRole('link', { name: words }).getByText(t('chat.waits')).waitFor();
  const manage = (title) => list.getByRole('button', { name: t('chat.manage', { title }) });
  await manage(words).click();
  await page.getByRole('button', { name: t('chat.rename'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('chat.rename_title') });
  await dialog.getByRole('textbox', { name: t('chat.title') }).fill('My prices');
  await dialog.getByRole('button', { name: t('chat.rename_do'), exact: true }).click();
  await list.getByRole('link', { name: 'My prices' }).waitFor();
  await manage('My prices').click();
  await page.getByRole('button', { name: t('chat.pin'), exact: true }).click();
  await list.getByRole('heading', { name: t('chat.pinned') }).waitFor();
  await manage('My prices').click();
  await page.getByRole('button', { name: t('chat.delete'), exact: true }).click();
  await page.getByRole('button', { name: t('chat.delete_do'), exact: true }).click();
  await list.getByRole('link', { name: 'My prices' }).waitFor({ state: 'detached' });
  await page.waitForURL(`**/p/${server.project}/chat`);
});

test('the audit is searched by kind, person and words; the address holds it', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'sought' to sought.md");
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/audit?kind=approval.asked`);
  const table = page.getByRole('region', { name: t('audit.list') });
  await table.getByRole('button', { name: t('record.approval.asked') }).first().waitFor();
  await page.getByRole('searchbox', { name: t('audit.words') }).fill(asked.approval);
  await page.getByRole('button', { name: t('audit.search'), exact: true }).click();
  await page.waitForURL(new RegExp(`q=${asked.approval}`));
  await table.getByRole('button', { name: t('record.approval.asked') }).waitFor();
  assert.equal(await table.getByRole('row').count(), 2, 'one record below the heads');
});
