// Keys of model providers: given once, sent to one place, seen nowhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { keysOnly, press, write } from './lib/keys.mjs';
import { reply } from './lib/model.mjs';
import { Chat, quiet } from './lib/pages.mjs';
import { Provider } from './lib/provider.mjs';
import { eventually } from './lib/rest.mjs';
import { makeMember, shared, startDemo, startServed } from './lib/server.mjs';
import { pattern, texts } from './lib/texts.mjs';

const t = texts('en');
const GOOD = 'sk-browser-good-0123456789wxyz';
const BAD = 'sk-browser-wrong-0123456789qrst';
const MODELS = ['small-model', 'large-model'];
const ANSWER = 'An answer for a key.';

const provider = (test, key = GOOD) => {
  const started = new Provider({ key, models: MODELS, answer: () => ({ text: reply(ANSWER) }) }).start();
  test.after(async () => (await started).stop());
  return started;
};

/** A demo that may ask all of them, and asks the first. */
async function demoOf(test, ...providers) {
  const origins = providers.map(({ origin }) => origin).join();
  const server = await startDemo({ WIIIV__LLM__APPROVED_ORIGINS: origins });
  test.after(() => server.remove());
  await server.rest.changePolicy(server.project, (policy) => providers[0].name(policy));
  return server;
}

/** The screen of a page. */
class Keys {
  constructor(page) {
    this.page = page;
    this.next = this.region('models.next');
    this.which = this.region('models.resolution');
    this.mine = this.region('keys_of.USER');
    this.dialog = page.getByRole('dialog');
    this.secret = this.dialog.getByLabel(t('keys.secret'), { exact: true });
    this.origin = this.dialog.getByRole('textbox', { name: t('keys.origin') });
  }

  region(key) {
    return this.page.getByRole('region', { name: t(key), exact: true });
  }

  async open(server, project = server.project) {
    await this.page.goto(`${server.url}/p/${project}/models`);
    await this.which.waitFor();
    await quiet(this.page);
  }

  /** One of the buttons beside the key of an OpenAI-compatible server. */
  of(key) {
    return this.mine.getByRole('button', { name: t(key, { name: t('provider.CUSTOM') }), exact: true });
  }

  async store(secret) {
    await this.secret.fill(secret);
    await this.dialog.getByRole('button', { name: t('keys.save'), exact: true }).click();
  }

  async verify(verdict) {
    await this.of('keys.verify_of').click();
    await this.mine.getByText(t(`key_verdict_text.${verdict}`)).waitFor();
    await this.mine.getByText(t(`key_verdict.${verdict}`), { exact: true }).waitFor();
  }
}

/** Whatever the server told this browser, and whatever the browser keeps. */
function hears(context) {
  const told = [];
  context.on('response', (response) => {
    // A stream of events has no end to wait for.
    const isStream = response.headers()['content-type']?.startsWith('text/event-stream');
    if (!isStream) told.push(response.text().catch(() => ''));
  });
  return async (page, secrets) => {
    const kept = await page.evaluate(() => ({
      page: document.documentElement.outerHTML,
      typed: [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
      storage: [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie],
      address: location.href,
    }));
    const all = JSON.stringify([kept, await Promise.all(told)]);
    assert.ok(told.length > 0, 'the server was heard');
    for (const secret of secrets) assert.equal(all.includes(secret), false, 'a secret is seen');
  };
}

test('a key is stored, verified, used, replaced and removed, and seen nowhere', async (test) => {
  const asked = await provider(test);
  const server = await demoOf(test, asked);
  const { page, context } = await visit(test, server);
  const seesNone = hears(context);
  const keys = new Keys(page);
  await keys.open(server);
  await keys.mine.getByText(t('keys.none')).waitFor();
  // In all, and for each kind of task.
  await keys.next.getByText(t('models.not_verified'), { exact: true }).first().waitFor();
  await keys.next.getByText(t('models_price.unpriced'), { exact: true }).waitFor();

  await keys.mine.getByRole('button', { name: t('keys.add') }).click();
  assert.equal(await keys.secret.getAttribute('type'), 'password');
  assert.equal(await keys.secret.getAttribute('autocomplete'), 'off');
  assert.equal(await keys.dialog.getByRole('combobox').inputValue(), 'CUSTOM', 'the provider that is asked');
  assert.equal(await keys.origin.inputValue(), asked.origin);
  await keys.store(BAD);
  await keys.dialog.waitFor({ state: 'detached' });
  await keys.mine.getByText(/\*{4}qrst$/).waitFor();
  await keys.verify('REFUSED');

  await keys.of('keys.replace_of').click();
  await keys.dialog.getByText(/\*{4}qrst/).waitFor();
  assert.equal(await keys.secret.inputValue(), '');
  await keys.store(GOOD);
  await keys.dialog.waitFor({ state: 'detached' });
  await keys.mine.getByText(t('keys.unchecked')).waitFor();
  await keys.verify('ACCEPTED');
  await keys.mine.getByText(t('models.listed', { count: MODELS.length })).waitFor();
  await keys.which.getByText(t('key_used.USER')).waitFor();
  await keys.which.getByText(t('key_state_text.not_named').replaceAll('`', '')).first().waitFor();

  await keys.next.getByRole('button', { name: t('models.ask') }).click();
  await keys.next.getByText(t('models.is_listed', { model: MODELS[0] }).replaceAll('`', '')).waitFor();
  await seesNone(page, [GOOD, BAD]);

  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('tell me something');
  await chat.log.getByText(ANSWER).waitFor();
  assert.ok(asked.heard.some(({ path, key }) => path.endsWith('/chat/completions') && key === GOOD));
  await seesNone(page, [GOOD, BAD]);

  await keys.open(server);
  await keys.of('keys.remove_of').click();
  await keys.dialog.getByRole('button', { name: t('ui.back') }).click();
  assert.equal((await server.rest.get('/keys')).items.length, 1, 'going back removes nothing');
  await keys.of('keys.remove_of').click();
  await keys.dialog.getByRole('button', { name: t('keys.remove'), exact: true }).click();
  await keys.dialog.waitFor({ state: 'detached' });
  await keys.mine.getByText(t('keys.none')).waitFor();
  assert.deepEqual((await server.rest.get('/keys')).items, []);
  await seesNone(page, [GOOD, BAD]);
});

test('another base URL gets no key', async (test) => {
  const [first, second] = await Promise.all([provider(test), provider(test, BAD)]);
  const server = await demoOf(test, first, second);
  await server.rest.call('PUT', '/keys/custom', { secret: GOOD, origin: first.origin });
  await server.rest.changePolicy(server.project, (policy) => second.name(policy));
  const { page } = await visit(test, server);
  const keys = new Keys(page);
  await keys.open(server);
  const words = t('key_state_text.elsewhere', { origin: first.origin, asked: second.origin });
  await keys.which.getByText(words.replaceAll('`', '')).waitFor();
  assert.equal(await keys.which.getByText(t('key_used.USER')).count(), 0);
  await server.rest.say(await server.rest.session(server.project), 'tell me something');
  const heard = second.heard.map(({ headers }) => headers);
  assert.equal(heard.join().includes(GOOD), false, 'the key of the other origin was sent');
  assert.deepEqual(first.heard, []);
});

test('a secret that was refused is not kept in its field', async (test) => {
  const asked = await provider(test);
  const server = await demoOf(test, asked);
  await server.rest.call('PUT', '/keys/custom', { secret: BAD, origin: asked.origin });
  const { page } = await visit(test, server);
  const keys = new Keys(page);
  await keys.open(server);
  await keys.of('keys.replace_of').click();
  await keys.store('two words');
  await keys.dialog.getByText(t('keys.odd_secret')).waitFor();
  assert.equal(await keys.secret.inputValue(), '');

  // Somebody replaces it meanwhile: this page is told, and a second press does it.
  const [{ revision }] = (await server.rest.get('/keys')).items;
  await server.rest.call('PUT', '/keys/custom', { secret: BAD, origin: asked.origin }, { 'If-Match': `"${revision}"` });
  await keys.store(GOOD);
  await keys.dialog.getByRole('alert').waitFor();
  assert.equal(await keys.secret.inputValue(), '');
  await keys.store(GOOD);
  await keys.dialog.waitFor({ state: 'detached' });
  await keys.verify('ACCEPTED');
});

test('by keys alone: a key is stored, verified and removed', async (test) => {
  const asked = await provider(test);
  const server = await demoOf(test, asked);
  const { page } = await keysOnly(test, server);
  const keys = new Keys(page);
  await keys.open(server);
  await press(page, keys.mine.getByRole('button', { name: t('keys.add') }));
  await write(page, keys.secret, GOOD);
  await page.keyboard.press('Enter');
  await keys.dialog.waitFor({ state: 'detached' });
  await press(page, keys.of('keys.verify_of'));
  await keys.mine.getByText(t('key_verdict_text.ACCEPTED')).waitFor();
  await press(page, keys.of('keys.remove_of'));
  await press(page, keys.dialog.getByRole('button', { name: t('keys.remove'), exact: true }));
  await keys.mine.getByText(t('keys.none')).waitFor();
});

const served = shared(startServed);

test('members see the keys of the project, owners change them, administrators those of the server', async (test) => {
  const server = await served();
  const { rest, project } = server.admin;
  await rest.call('PUT', `/projects/${project}/keys/custom`, { secret: GOOD, origin: 'http://127.0.0.1:9' });
  const viewer = await makeMember(server, 'una', 'viewer');
  const { page } = await visit(test, server);
  await enter(page, server, viewer);
  const keys = new Keys(page);
  await keys.open(server, project);
  const theirs = keys.region('keys_of.PROJECT');
  await theirs.getByText(/\*{4}wxyz$/).waitFor();
  assert.equal(await theirs.getByRole('button').count(), 0);
  assert.equal(await keys.region('keys_of.SERVER').count(), 0);
  assert.equal(await keys.mine.getByRole('button', { name: t('keys.add') }).count(), 1, 'her own are hers');

  const { page: other } = await visit(test, server);
  await enter(other, server, server.admin);
  const all = new Keys(other);
  await all.open(server, project);
  await all.region('keys_of.PROJECT').getByRole('button', { name: t('keys.add') }).waitFor();
  await all.region('keys_of.SERVER').getByText(t('keys.none')).waitFor();
  await all.region('keys_of.SERVER').getByRole('button', { name: t('keys.add') }).waitFor();
});

test('the form of the policy fills in what is recommended, and says who pays', async (test) => {
  const server = await startDemo({ WIIIV__LLM__APPROVED_ORIGINS: 'https://api.openai.com' });
  test.after(() => server.remove());
  await server.rest.call('PUT', '/keys/openai', { secret: GOOD });
  const { items } = await server.rest.get('/models');
  const { recommended } = items.find(({ provider: name }) => name === 'OPENAI');
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/policy?view=edit&at=llmProvider`);
  await page.getByRole('combobox', { name: t('policy.provider'), exact: true }).waitFor();
  await quiet(page);
  await page.getByRole('combobox', { name: t('policy.provider'), exact: true }).selectOption('OPENAI');
  assert.equal(await page.getByLabel(t('policy.model_name'), { exact: true }).inputValue(), recommended.value);
  assert.equal(await page.getByText(t('policy.shared_keys')).count(), 0);
  const shared = page.getByRole('checkbox', { name: t('key_source.SERVER'), exact: true });
  const review = page.getByRole('dialog', { name: t('policy.review') });
  async function save() {
    await page.getByRole('button', { name: t('policy.review'), exact: true }).click();
    await review.getByRole('textbox', { name: t('policy.why') }).fill('a test of the browser');
    await review.getByRole('button', { name: pattern('en', 'policy.save') }).click();
  }
  // The demo's user is no administrator: what everybody pays for is not hers to open.
  await shared.check();
  await page.getByText(t('policy.shared_keys')).waitFor();
  await save();
  await review.getByText(/only an administrator who is an owner here adds it/).waitFor();
  await review.getByRole('button', { name: t('ui.back'), exact: true }).click();
  await review.waitFor({ state: 'detached' });
  await shared.uncheck();
  await page.getByText(t('policy.shared_keys')).waitFor({ state: 'detached' });
  await save();
  await review.waitFor({ state: 'detached' });
  const policy = await eventually(async () => {
    const found = await server.rest.get(`/projects/${server.project}/policy`);
    return found.policy.llmProvider === 'OPENAI' ? found.policy : null;
  }, 'the policy');
  assert.equal(policy.keySources ?? null, null);
  assert.equal(policy.llmBaseUrl ?? null, null);

  const keys = new Keys(page);
  await keys.open(server);
  await keys.next.getByText(t('models.approved'), { exact: true }).waitFor();
  await keys.next.getByText(recommended.value, { exact: true }).waitFor();
  await keys.which.getByText(t('key_used.USER')).waitFor();
});
