// The keyboard's place is never lost: not when a dialog closes, nor when what had it goes away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Chat, hasFocus, tabTo } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const demo = shared(startDemo);
const t = texts('en');

/** Somewhere in the page itself, and in view. */
async function isKept(page, within) {
  await page.waitForFunction(() => document.activeElement !== document.body);
  assert.ok(await within.evaluate((place) => place.contains(document.activeElement)), 'the focus is near where it was');
}

test('the first message of a conversation leaves the focus in the field', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('hello');
  await chat.session();
  await chat.holdsOnce('hello');
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.keyboard.type('again');
  assert.equal(await chat.field.inputValue(), 'again');
});

test('an idea that is picked leads into the conversation', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await tabTo(page, page.getByRole('button', { name: t('start_about.write') }));
  await page.keyboard.press('Enter');
  await chat.button('chat.yes').waitFor();
  assert.ok(await hasFocus(chat.field));
});

test('after a yes and after a no the focus stays in the conversation', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say("Write 'a' to focus-a.md");
  await chat.button('chat.yes').waitFor();
  await tabTo(page, chat.button('chat.no'));
  await page.keyboard.press('Enter');
  await chat.button('chat.no').waitFor({ state: 'detached' });
  await isKept(page, chat.log);

  await tabTo(page, chat.field);
  await page.keyboard.type("Write 'b' to focus-b.md");
  await page.keyboard.press('Enter');
  await chat.button('chat.yes').waitFor();
  await tabTo(page, chat.button('chat.yes'));
  await page.keyboard.press('Enter');
  await chat.runIs('succeeded');
  await isKept(page, chat.log);
});

test('after an answer in the inbox the focus stays in the question', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'c' to focus-c.md");
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/approvals/${asked.approval}`);
  const approve = page.getByRole('button', { name: t('inbox.approve'), exact: true });
  await approve.waitFor();
  await tabTo(page, approve);
  await page.keyboard.press('Enter');
  await page.getByText(t('inbox_run.succeeded')).waitFor();
  await isKept(page, page.getByRole('region', { name: t('inbox.question') }));
});
