// Signing in, being told why not, signing out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter as enterAs, visit } from './lib/browser.mjs';
import { makePerson, shared, startDemo, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const served = shared(startServed);
const WRONG = 'not the password';
const FAILURES_FREE = 5;

function door(page, t) {
  const name = page.getByRole('textbox', { name: t('sign_in.name') });
  const password = page.getByLabel(t('sign_in.password'), { exact: true });
  const go = page.getByRole('button', { name: t('sign_in.do'), exact: true });
  return {
    name,
    alert: page.getByRole('alert'),
    async enter(who, secret) {
      await name.fill(who);
      await password.fill(secret);
      await go.click();
    },
  };
}

/** What the server says in the language of the page, in whatever words. */
async function refusal(page, act) {
  const answer = page.waitForResponse((response) => response.url().endsWith('/auth/login'));
  await act();
  const response = await answer;
  return { status: response.status(), ...(await response.json()) };
}

for (const language of LANGUAGES) {
  test(`a wrong password is refused in words, the right one leads in (${language})`, async (t) => {
    const server = await served();
    const ann = await makePerson(server, `ann-${language}`);
    const { page } = await visit(t, server, { language });
    const say = texts(language);
    await page.goto(server.url);
    await page.waitForURL('**/sign-in');
    assert.equal(await page.locator('html').getAttribute('lang'), language);
    const { name, alert, enter } = door(page, say);
    const refused = await refusal(page, () => enter(ann.name, WRONG));
    assert.equal(refused.code, 'WRONG_CREDENTIALS');
    await alert.getByText(refused.title, { exact: true }).waitFor();
    await alert.getByText(refused.suggestion, { exact: true }).waitFor();
    await enter(ann.name, ann.password);
    await page.waitForURL(`**/p/${ann.project}/chat`);

    // The cookie is none that a script could read, and a refresh keeps the person in.
    assert.equal(await page.evaluate(() => document.cookie), '');
    await page.reload();
    await page.getByRole('button', { name: say('app.account') }).click();
    await page.getByRole('button', { name: say('app.sign_out') }).click();
    await page.waitForURL('**/sign-in');
    await page.goto(`${server.url}/p/${ann.project}/chat`);
    await name.waitFor();
  });
}

test('who tries too often is told to wait, and for how long', async (t) => {
  const server = await served();
  const bob = await makePerson(server, 'bob');
  const { page } = await visit(t, server);
  await page.goto(`${server.url}/sign-in`);
  const { alert, enter } = door(page, texts('en'));
  for (let tries = 0; tries < FAILURES_FREE; tries++) {
    const { code } = await refusal(page, () => enter(bob.name, WRONG));
    assert.equal(code, 'WRONG_CREDENTIALS');
  }
  const refused = await refusal(page, () => enter(bob.name, bob.password));
  assert.equal(refused.status, 429);
  await alert.getByText(refused.title, { exact: true }).waitFor();
  await alert.getByText(String(refused.params.retry_after_seconds)).first().waitFor();
  assert.match(page.url(), /\/sign-in$/);
});

test('who comes by a deep address lands there after signing in', async (t) => {
  const server = await served();
  const cho = await makePerson(server, 'cho');
  const session = await cho.rest.session(cho.project);
  const { page } = await visit(t, server);
  const address = `/p/${cho.project}/chat/${session}`;
  await page.goto(server.url + address);
  await door(page, texts('en')).enter(cho.name, cho.password);
  await page.waitForURL(`**${address}`);
});

test('an address of somewhere else is not gone to after signing in', async (t) => {
  const server = await served();
  const dan = await makePerson(server, 'dan');
  const { page } = await visit(t, server);
  await page.goto(`${server.url}/sign-in?next=${encodeURIComponent('//example.com/stolen')}`);
  await door(page, texts('en')).enter(dan.name, dan.password);
  await page.getByRole('button', { name: texts('en')('app.account') }).waitFor();
  assert.equal(new URL(page.url()).origin, new URL(server.url).origin);
});

/** The attack: a program at another port of this machine is sent the cookie, and shows it. */
test('a copy of the cookie opens nothing, and the page outlives a reload and has several tabs', async (t) => {
  const server = await served();
  const eva = await makePerson(server, 'eva');
  const { page, context } = await visit(t, server);
  await enterAs(page, server, eva);
  const account = (of) => of.getByRole('button', { name: texts('en')('app.account') });
  await page.goto(server.url);
  await account(page).waitFor();
  await page.reload();
  await account(page).waitFor();
  const second = await context.newPage();
  await second.goto(server.url);
  await account(second).waitFor();

  const [cookie] = await context.cookies(server.url);
  const asked = (headers) => fetch(`${server.url}/api/v2/auth/me`, { headers }).then(({ status }) => status);
  assert.equal(await asked({ cookie: `${cookie.name}=${cookie.value}` }), 401);
  assert.equal(await asked({ authorization: `Bearer ${cookie.value}` }), 401);
  assert.equal(await asked({ cookie: `${cookie.name}=${cookie.value}`, 'x-page-key': cookie.value }), 401);

  // Signed out in one tab is signed out in all.
  await account(page).click();
  await page.getByRole('button', { name: texts('en')('app.sign_out') }).click();
  await second.waitForURL('**/sign-in*');
});

test('the link into a demo opens once, and nobody comes in without one', async (t) => {
  const say = texts('en');
  const server = await startDemo();
  t.after(() => server.remove());
  const { page: stranger } = await visit(t, server, { signedIn: false });
  await stranger.goto(server.url);
  await stranger.getByText(say('sign_in.demo_text')).waitFor();
  const { page } = await visit(t, server, { signedIn: false });
  await page.goto(server.ready.link);
  await page.waitForURL(`**/p/${server.project}/chat`);
  assert.equal(page.url().includes('demo='), false, 'it is gone from the address');
  await stranger.goto(server.ready.link);
  await stranger.getByRole('alert').getByText('wiiiv demo link').waitFor();
  const { link } = await server.rest.post('/auth/demo/link', {});
  await stranger.goto(`${server.url}/#demo=${link}`);
  await stranger.waitForURL(`**/p/${server.project}/chat`);
});
