// Every flow by keyboard alone; after each dialog the focus is where it was.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { keysOnly, press } from './lib/keys.mjs';
import { Chat, hasFocus, opensAndReturns, tabTo } from './lib/pages.mjs';
import { makePerson, shared, startDemo, startServed } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const demo = shared(startDemo);
const t = texts('en');
const named = (page, role, key) => page.getByRole(role, { name: t(key), exact: true });

test('signing in, the language, the theme and signing out', async (test) => {
  const server = await startServed();
  test.after(() => server.remove());
  const { name, password } = await makePerson(server, 'eve');
  const { page } = await keysOnly(test, server);
  await page.goto(`${server.url}/sign-in`);
  await tabTo(page, named(page, 'textbox', 'sign_in.name'));
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  const account = page.getByRole('button', { name: t('app.account') });
  await account.waitFor();

  await page.keyboard.press('Tab');
  await tabTo(page, account);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  assert.equal(await account.getAttribute('aria-expanded'), 'false');
  assert.ok(await account.evaluate((one) => one === document.activeElement), 'focus returns');
  await page.keyboard.press('Enter');
  // It comes when the menu is opened for the first time.
  await named(page, 'radio', 'theme.system').waitFor();
  await tabTo(page, named(page, 'radio', 'theme.system'));
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await tabTo(page, named(page, 'button', 'app.sign_out'));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/sign-in');
});

test('saying, reading the reasons, changing and approving in the chat', async (test) => {
  const server = await demo();
  const { page } = await keysOnly(test, server);
  const chat = new Chat(page);
  await page.goto(`${server.url}/p/${server.project}/chat`);
  // The first tab offers a way past the navigation.
  await chat.field.waitFor();
  await page.keyboard.press('Tab');
  await tabTo(page, named(page, 'link', 'app.skip'));
  await page.keyboard.press('Enter');
  await tabTo(page, chat.field);
  await page.keyboard.type("Write 'by keys' to keys.md");
  await page.keyboard.press('Enter');
  await chat.button('chat.yes').waitFor();
  const chip = page.getByRole('group', { name: t('decision.strip') }).getByRole('button').first();
  await opensAndReturns(page, chip, chat.dialog('decision.title'));
  await press(page, chat.button('chat.change'));
  assert.ok(await hasFocus(chat.field), 'a change is said in the field');
  await page.keyboard.type('write it to keys.txt instead');
  await page.keyboard.press('Enter');
  await chat.log.getByText(t('approval.withdrawn'), { exact: true }).first().waitFor();
  await chat.button('chat.yes').waitFor();
  await tabTo(page, chat.button('chat.yes').last());
  await page.keyboard.press('Enter');
  await chat.runIs('succeeded');
  assert.equal(await readFile(join(server.ready.workspace, 'keys.txt'), 'utf8'), 'by keys');

  await tabTo(page, chat.field);
  await page.keyboard.type('Delete keys.txt');
  await page.keyboard.press('Enter');
  await chat.button('chat.yes').waitFor();
  const confirming = chat.dialog('approve.title');
  await opensAndReturns(page, chat.button('chat.yes'), confirming, async () => {
    // The key that opened it cannot also confirm: the focus is on no button.
    const focused = await page.evaluate(() => document.activeElement?.tagName);
    assert.notEqual(focused, 'BUTTON');
    await stays(page, confirming);
  });
  assert.equal(await readFile(join(server.ready.workspace, 'keys.txt'), 'utf8'), 'by keys', 'Escape is no yes');
  await page.keyboard.press('Enter');
  await confirming.waitFor();
  await tabTo(page, confirming.getByRole('button', { name: t('approve.do') }));
  await page.keyboard.press('Enter');
  await confirming.waitFor({ state: 'detached' });
  await chat.log.getByText(t('approval_by.consumed', { name: 'guest' }), { exact: true }).filter({ visible: true }).nth(1).waitFor();
  // The yes is used before the step has run.
  const runs = page.getByRole('region', { name: t('run.title') }).locator('header');
  await runs.getByText(t('run_state.succeeded'), { exact: true }).nth(1).waitFor();
  await assert.rejects(readFile(join(server.ready.workspace, 'keys.txt')));
});

const TABS_ROUND = 20;

/** Tab goes round inside a dialog and never behind it. */
async function stays(page, dialog) {
  for (let tabs = 0; tabs < TABS_ROUND; tabs++) {
    await page.keyboard.press('Tab');
    assert.ok(await dialog.evaluate((box) => box.contains(document.activeElement)), 'focus stays inside');
  }
}

test('an Enter that is held down does not approve', async (test) => {
  const server = await demo();
  await writeFile(join(server.ready.workspace, 'held.md'), 'held');
  const asked = await server.rest.question(server.project, 'Delete held.md');
  const { page } = await keysOnly(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project, asked.session);
  await chat.button('chat.yes').waitFor();
  await tabTo(page, chat.button('chat.yes'));
  for (let repeats = 0; repeats < 8; repeats++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  assert.equal((await server.rest.get(`/approvals/${asked.approval}`)).state, 'pending');
});

test('the inbox: reading, rejecting with a reason, approving', async (test) => {
  const server = await demo();
  const no = await server.rest.question(server.project, "Write 'no' to keys-no.md");
  const yes = await server.rest.question(server.project, "Write 'yes' to keys-yes.md");
  const { page } = await keysOnly(test, server);
  await page.goto(`${server.url}/approvals`);
  const row = page.getByRole('link', { name: 'keys-no.md' });
  await row.waitFor();
  await tabTo(page, row);
  await page.keyboard.press('Enter');
  const reject = named(page, 'button', 'inbox.reject');
  await reject.waitFor();
  const dialog = named(page, 'dialog', 'inbox.reject_title');
  await opensAndReturns(page, reject, dialog, () => stays(page, dialog));
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.type('not now');
  await tabTo(page, dialog.getByRole('button', { name: t('inbox.reject_do') }));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await server.rest.get(`/approvals/${no.approval}`)).state, 'rejected');

  await page.goto(`${server.url}/approvals/${yes.approval}`);
  const approve = named(page, 'button', 'inbox.approve');
  await approve.waitFor();
  await tabTo(page, approve);
  await page.keyboard.press('Enter');
  await page.getByText(t('inbox_run.succeeded')).waitFor();
  assert.equal(await readFile(join(server.ready.workspace, 'keys-yes.md'), 'utf8'), 'yes');
});

test('the drawer of a small window opens, closes and gives the focus back', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server, { width: 390, height: 800 });
  const chat = new Chat(page);
  await chat.open(server, server.project);
  for (const key of ['app.menu', 'chat.sessions']) {
    const dialog = chat.dialog(key);
    await page.keyboard.press('Tab');
    await opensAndReturns(page, chat.button(key), dialog, () => stays(page, dialog));
  }
});
