// The first run of a fresh server, from the token to the first answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { Server } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const NAME = '관리자';
const PASSWORD = 'correct horse battery';

async function fresh(test) {
  const server = await new Server('serve').start();
  test.after(() => server.remove());
  return server;
}

/** The wizard of a page. */
class Wizard {
  constructor(page, language) {
    this.page = page;
    this.t = texts(language);
  }

  at(step) {
    return this.page.getByRole('heading', { name: this.t(`setup_heading.${step}`), exact: true }).waitFor();
  }

  press(key) {
    return this.page.getByRole('button', { name: this.t(key), exact: true }).click();
  }

  async token(text) {
    await this.at('token');
    await this.page.getByRole('textbox', { name: this.t('setup.token') }).fill(text);
    await this.press('setup.next');
  }

  async account(again = PASSWORD) {
    await this.at('account');
    await this.page.getByRole('textbox', { name: this.t('sign_in.name') }).fill(NAME);
    await this.page.getByLabel(this.t('sign_in.password'), { exact: true }).fill(PASSWORD);
    await this.page.getByLabel(this.t('setup.again'), { exact: true }).fill(again);
    await this.press('setup.make');
  }
}

for (const language of LANGUAGES) {
  test(`from the token to the first answer (${language})`, async (test) => {
    const server = await fresh(test);
    const { page } = await visit(test, server, { language });
    const wizard = new Wizard(page, language);
    const { t } = wizard;
    await page.goto(server.url);
    await page.waitForURL('**/setup');
    await wizard.token('wiiiv_not_the_token');
    await wizard.account();
    await wizard.at('token');
    await page.getByText(t('setup.token_wrong')).waitFor();
    await wizard.token(server.ready.setup_token);
    await wizard.account('another password');
    await page.getByText(t('setup.differs')).waitFor();
    await wizard.account();

    await wizard.at('language');
    await page.getByRole('radio', { name: language === 'ko' ? '한국어' : 'English', exact: true }).first().check();
    await wizard.press('setup.next');
    await wizard.at('provider');
    await page.getByRole('radio', { name: t('setup.offline') }).waitFor();
    await page.reload();
    await wizard.at('provider');
    await page.getByRole('radio', { name: t('setup.offline') }).check();
    await wizard.press('setup.next');
    await wizard.at('try');
    await wizard.press('setup.send');
    await page.getByText(t('outcome.pending'), { exact: true }).waitFor();
    await wizard.press('setup.next');
    await wizard.at('done');
    await wizard.press('setup.start');

    // The test call waits in the chat, and a yes does it.
    const chat = new Chat(page, language);
    await chat.session();
    await chat.approve();
    await chat.runIs('succeeded');
    assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('wiiiv_')), false, 'no token is kept');
  });
}

test('the rest of the setup can be skipped, and the token works but once', async (test) => {
  const server = await fresh(test);
  const { page } = await visit(test, server);
  const wizard = new Wizard(page, 'en');
  await page.goto(`${server.url}/p/anything/chat`);
  await wizard.token(server.ready.setup_token);
  await wizard.account();
  await wizard.at('language');
  await wizard.press('setup.skip');
  await wizard.at('done');
  await wizard.press('setup.start');
  await new Chat(page).field.waitFor();

  const { page: second } = await visit(test, server);
  await second.goto(server.url);
  await second.waitForURL('**/sign-in');
  await second.goto(`${server.url}/setup`);
  await second.getByText(texts('en')('setup.signed_out')).waitFor();
});
