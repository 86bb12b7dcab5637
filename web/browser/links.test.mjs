// What a page does when its ground moves: many tabs, a sign-in elsewhere, a server that is away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { makePerson, shared, startDemo, startServed } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const demo = shared(startDemo);
const served = shared(startServed);
const t = texts('en');
/** As many as a browser lends to one server over HTTP/1.1. */
const CONNECTIONS = 6;

/** As if another tab lay over it; in a headless browser every page is seen. */
const cover = (page, state) =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { get: () => now, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

/** Whatever the page asks next is refused; it may have asked already. */
const signedOutBy = (page, chat) =>
  Promise.all([page.waitForURL('**/sign-in?next=*'), chat.field.press('Enter').catch(() => null)]);

test('tabs that nobody sees hold no connection, and go on where they were', async (test) => {
  const server = await demo();
  const session = await server.rest.session(server.project);
  await server.rest.say(session, 'hello from before');
  const { page, context } = await visit(test, server);
  const first = new Chat(page);
  await first.open(server, server.project, session);
  await first.holdsOnce('hello from before');
  await cover(page, 'hidden');
  for (let tabs = 1; tabs < CONNECTIONS; tabs++) {
    const next = new Chat(await context.newPage());
    await next.open(server, server.project, session);
    await next.holdsOnce('hello from before');
    await cover(next.page, 'hidden');
  }
  const seventh = new Chat(await context.newPage());
  await seventh.open(server, server.project, session);
  await seventh.say('hello from the seventh');
  await seventh.holdsOnce('hello from the seventh');
  assert.equal(await first.log.getByText('hello from the seventh').count(), 0, 'nobody looks at the first');
  await cover(page, 'visible');
  await first.holdsOnce('hello from the seventh');
  await first.holdsOnce('hello from before');
});

test('a sign-in of the same person in another tab does not end this one', async (test) => {
  const server = await served();
  const fay = await makePerson(server, 'fay');
  const { page } = await visit(test, server);
  await enter(page, server, fay);
  const chat = new Chat(page);
  await chat.open(server, fay.project);
  await enter(page, server, fay);
  await chat.say('still me');
  await chat.session();
  await chat.holdsOnce('still me');
  await chat.rests();
});

test('a page that was signed out by a sign-in of its own person goes on', async (test) => {
  const server = await served();
  const mia = await makePerson(server, 'mia');
  const { page } = await visit(test, server);
  await enter(page, server, mia);
  const chat = new Chat(page);
  await chat.open(server, mia.project);
  await chat.field.fill('words of mia');
  await enter(page, server, mia, () => signedOutBy(page, chat));
  await page.waitForURL(`**/p/${mia.project}/chat**`);
  assert.equal(await chat.field.inputValue(), 'words of mia');
});

test('a sign-in of somebody else in another tab makes this one theirs', async (test) => {
  const server = await served();
  const [gil, hana] = [await makePerson(server, 'gil'), await makePerson(server, 'hana')];
  const { page } = await visit(test, server);
  await enter(page, server, gil);
  const chat = new Chat(page);
  await chat.open(server, gil.project);
  await chat.field.fill('words of gil');
  await enter(page, server, hana);
  await page.waitForURL(`**/p/${hana.project}/chat`);
  assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes('words of gil')), false);
});

test('a page that was signed out by a sign-in of somebody else becomes theirs', async (test) => {
  const server = await served();
  const [kim, lee] = [await makePerson(server, 'kim'), await makePerson(server, 'lee')];
  const { page } = await visit(test, server);
  await enter(page, server, kim);
  const chat = new Chat(page);
  await chat.open(server, kim.project);
  await chat.field.fill('words of kim');
  await enter(page, server, lee, () => signedOutBy(page, chat));
  await page.waitForURL(`**/p/${lee.project}/chat`);
  assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes('words of kim')), false);
});

test('signing out takes along what was typed', async (test) => {
  const server = await served();
  const ivy = await makePerson(server, 'ivy');
  const { page } = await visit(test, server);
  await enter(page, server, ivy);
  const chat = new Chat(page);
  await chat.open(server, ivy.project);
  await chat.field.fill('for nobody else');
  await page.waitForFunction(() => JSON.stringify(sessionStorage).includes('for nobody else'));
  await page.getByRole('button', { name: t('app.account') }).click();
  await page.getByRole('button', { name: t('app.sign_out') }).click();
  await page.waitForURL('**/sign-in');
  assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes('for nobody else')), false);
});

test('an address of a blob is not gone to after signing in', async (test) => {
  const server = await served();
  const { name, password } = await makePerson(server, 'jon');
  const { page } = await visit(test, server);
  const next = encodeURIComponent(`blob:${server.url}/x`);
  await page.goto(`${server.url}/sign-in?next=${next}`);
  await page.getByRole('textbox', { name: t('sign_in.name') }).fill(name);
  await page.getByLabel(t('sign_in.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('sign_in.do'), exact: true }).click();
  await page.getByRole('button', { name: t('app.account') }).waitFor();
  assert.match(new URL(page.url()).pathname, /\/chat$/);
});

test('a conversation that is opened while the server is away comes by itself', async (test) => {
  const server = await startDemo();
  test.after(() => server.remove());
  const session = await server.rest.session(server.project);
  await server.rest.say(session, 'a green giraffe');
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  const row = page.getByRole('link', { name: 'a green giraffe' });
  await row.waitFor();
  await server.kill();
  await row.click();
  await page.getByText(chat.t('chat.away')).waitFor();
  await chat.say('are you there');
  await server.start();
  await chat.holdsOnce('a green giraffe');
  await chat.holdsOnce('are you there');
  await chat.log.getByText(chat.t('chat.sending')).waitFor({ state: 'detached' });
});

test('a page that begins while the server is away goes on by itself', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  let isAway = true;
  await page.route('**/api/v2/**', (route) => (isAway ? route.abort() : route.fallback()));
  await page.goto(`${server.url}/p/${server.project}/chat`);
  await page.getByRole('alert').getByText(t('problem.UNREACHABLE')).waitFor();
  assert.match(page.url(), /\/chat$/, 'nobody is sent to the door for that');
  isAway = false;
  await new Chat(page).field.waitFor();
  assert.match(page.url(), /\/chat$/);
});

test('over plain HTTP from another machine a yes works as well', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'plain' to plain.md");
  const { page, context } = await visit(test, server);
  // As browsers leave it out where a page is not from this computer and not over HTTPS.
  await context.addInitScript(() => delete Crypto.prototype.randomUUID);
  const chat = new Chat(page);
  await chat.open(server, server.project, asked.session);
  assert.equal(await page.evaluate(() => typeof crypto.randomUUID), 'undefined');
  await chat.approve();
  await chat.runIs('succeeded');
});

test('a part of the page that does not come says so', async (test) => {
  const server = await demo();
  const session = await server.rest.session(server.project);
  await server.rest.say(session, "Write 'x' to part.md");
  const { page } = await visit(test, server);
  await page.route(/Reasons-[^/]*\.js$/, (route) => route.abort());
  const chat = new Chat(page);
  await chat.open(server, server.project, session);
  const strip = chat.log.getByRole('group', { name: t('decision.strip') });
  await strip.getByRole('button').first().click();
  await page.getByRole('alert').getByText(t('problem.PART_MISSING')).waitFor();
});

test('a language that is chosen while texts are on their way is the only one', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server, { language: 'ko' });
  const [ko, en] = [texts('ko'), texts('en')];
  const chat = new Chat(page, 'ko');
  await chat.open(server, server.project);
  await page.route(/ko\.screens-[^/]*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.fallback();
  });
  await page.getByRole('link', { name: ko('nav.policy'), exact: true }).click();
  await page.getByRole('button', { name: ko('app.account') }).click();
  await page.getByRole('radio', { name: 'English' }).check({ force: true });
  await page.getByRole('heading', { level: 1, name: en('policy.title') }).waitFor();
  await page.waitForTimeout(2000);
  const said = await page.getByRole('main').innerText();
  assert.doesNotMatch(said, /[\uac00-\ud7af]/, 'no word of the other language');
});

test('a list of conversations that is read on while it changes holds each once', async (test) => {
  const server = await startDemo();
  test.after(() => server.remove());
  for (let count = 0; count < 42; count++) await server.rest.session(server.project);
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await page.route(/sessions\?.*cursor=/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.fallback();
  });
  const list = page.getByRole('navigation', { name: t('chat.sessions') });
  await page.getByRole('button', { name: t('chat.more_sessions') }).click();
  await chat.say('hello while it loads');
  await list.getByRole('link', { name: 'hello while it loads' }).waitFor();
  await page.waitForTimeout(2000);
  const links = await list.getByRole('link').evaluateAll((all) => all.map((one) => one.href));
  assert.equal(new Set(links).size, links.length, 'none stands twice');
  assert.equal(links.length, 40);
});
