// A no says why, to whom it is said, and where it can be changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const demo = shared(startDemo);
const t = texts('en');
const WITHOUT = ['API_CALL', 'FILE_WRITE'];
const LIST = 'Get the product list from skymall and save it to products.json';

/** Approved by its person, denied by the gates for two lines that the policy lacks by then. */
async function deniedTwice(server) {
  const asked = await server.rest.question(server.project, LIST);
  await server.rest.changePolicy(server.project, (policy) => {
    policy.allowedStepTypes = policy.allowedStepTypes.filter((type) => !WITHOUT.includes(type));
  });
  await server.rest.say(asked.session, 'yes');
  return asked;
}

test('a denial that needs two lines names both, and is no question that was replaced', async (test) => {
  const server = await startDemo();
  test.after(() => server.remove());
  const asked = await deniedTwice(server);
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/why/${asked.blueprint}`);
  await page.getByRole('heading', { name: t('why.what_now') }).waitFor();
  for (const type of WITHOUT) await page.getByRole('figure').getByText(type, { exact: true }).waitFor();

  await page.goto(`${server.url}/approvals/${asked.approval}?state=any`);
  const question = page.getByRole('region', { name: t('inbox.question') });
  await question.getByText(t('approval.withdrawn_denied'), { exact: true }).first().waitFor();
  assert.equal(await question.getByText(t('approval.withdrawn'), { exact: true }).count(), 0);

  const chat = new Chat(page);
  await chat.open(server, server.project, asked.session);
  await chat.log.getByText(t('approval.withdrawn_denied'), { exact: true }).first().waitFor();
  await chat.button('chip.ruling_deny').last().click();
  const why = chat.dialog('decision.title');
  for (const type of WITHOUT) await why.getByText(type, { exact: true }).first().waitFor();
});

test('what a denial lacks stands in the form of the policy, and is put in force from there', async (test) => {
  const server = await startDemo();
  test.after(() => server.remove());
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('GET http://denied.example.com/items and save it to x.json');
  await chat.button('chip.verdict_no').or(chat.button('chip.not_drawable')).first().click();
  const why = chat.dialog('decision.title');
  await why.getByText(/^HOST_NOT_/).first().waitFor();
  await why.getByRole('link', { name: t('decision.to_policy') }).first().click();
  const host = page.getByRole('textbox', { name: t('policy.host'), exact: true });
  await host.waitFor();
  assert.equal(await host.inputValue(), 'denied.example.com');
  const section = page.locator('[data-section="hosts"]');
  assert.ok(await section.evaluate((one) => one.contains(document.activeElement)), 'the field is where one is');
  await page.getByRole('button', { name: t('policy.review'), exact: true }).click();
  const review = page.getByRole('dialog', { name: t('policy.review') });
  await review.getByText('denied.example.com').first().waitFor();
  await review.getByRole('button').last().click();
  await review.waitFor({ state: 'detached' });
  const { policy } = await server.rest.get(`/projects/${server.project}/policy`);
  assert.ok(policy.allowedHosts.some(({ host: name }) => name === 'denied.example.com'));
});

for (const language of LANGUAGES) {
  test(`who said no before there was a plan, and what it means (${language})`, async (test) => {
    const server = await demo();
    const { page } = await visit(test, server, { language });
    const chat = new Chat(page, language);
    await chat.open(server, server.project);
    await page.getByRole('button', { name: chat.t('start_about.denied') }).click();
    await chat.button('chip.verdict_no').or(chat.button('chip.not_drawable')).first().click();
    const why = chat.dialog('decision.title');
    for (const persona of ['ARCHITECT', 'REVIEWER', 'ADVERSARY']) {
      await why.getByText(chat.t(`persona.${persona}`), { exact: true }).first().waitFor();
    }
    await why.getByText(/^HOST_NOT_/).first().waitFor();
    await why.getByText(chat.t('decision.change')).first().waitFor();
  });
}

for (const language of LANGUAGES) {
  test(`a turn without a plan tells its request, its model calls and by what it was decided (${language})`, async (test) => {
    const server = await demo();
    const { number } = await server.rest.get(`/projects/${server.project}/policy`);
    const session = await server.rest.session(server.project);
    const [{ turn }] = await server.rest.say(session, 'hello there');
    const { page } = await visit(test, server, { language });
    const chat = new Chat(page, language);
    await chat.open(server, server.project, session);
    await chat.button('chip.proposed_reply').first().click();
    const link = chat.dialog('decision.title').getByRole('link', { name: chat.t('decision.turn') });
    await link.click();
    await page.waitForURL(`**/turns/${turn}`);
    const basis = page.getByRole('region', { name: chat.t('why.rests_on') });
    await basis.getByText(chat.t('why.request_hash')).waitFor();
    await basis.getByText(chat.t('why.policy', { number }), { exact: true }).waitFor();
    await page.getByRole('region', { name: chat.t('why.calls') }).getByText(/^OFFLINE:/).first().waitFor();
    await page.getByRole('region', { name: chat.t('why.decisions') }).getByText(chat.t('subject.model_call')).first().waitFor();
  });
}

test('the page of a plan leads to the turn that asked for it', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'linked' to linked.md");
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/why/${asked.blueprint}`);
  const basis = page.getByRole('region', { name: t('why.rests_on') });
  await basis.getByRole('link', { name: t('rollout.see_turn'), exact: true }).click();
  await page.waitForURL(`**/p/${server.project}/turns/*`);
  await page.getByRole('region', { name: t('why.calls') }).waitFor();
});

test('where the policy allows none of the examples it is said, and who can change that', async (test) => {
  const server = await startDemo();
  test.after(() => server.remove());
  await server.rest.changePolicy(server.project, (policy) => Object.assign(policy, { allowedPaths: ['reports'], allowedHosts: [] }));
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/chat`);
  await page.getByText(t('start.none')).waitFor();
  await page.getByRole('link', { name: t('decision.to_policy'), exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: t('start_about.write') }).count(), 0);
});

test('a run is called by one sentence of its plan, in the list and on its page', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'named' to named-run.md");
  await server.rest.say(asked.session, 'yes');
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/executions`);
  const row = page.getByRole('list', { name: t('nav.executions') }).getByRole('link', { name: 'named-run.md' });
  await row.waitFor();
  assert.doesNotMatch(await row.innerText(), /[0-9a-f]{8}/);
  await row.click();
  await page.locator('.lead').getByText('named-run.md').waitFor();
});

test('what a server refuses is said in the language of the page', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server, { language: 'ko' });
  const chat = new Chat(page, 'ko');
  await chat.open(server, server.project);
  await page.route('**/messages', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      json: { code: 'INVALID_FIELD', status: 422, title: '값이 맞지 않습니다', suggestion: '고쳐 주세요', params: { field: 'text', reason: '1자 이상 `16000`자 이하여야 합니다.' } },
    }),
  );
  await chat.say('안녕');
  await page.getByRole('alert').getByText('1자 이상').waitFor();
  assert.doesNotMatch(await page.getByRole('alert').innerText(), /[a-z]{3}/i, 'no word of another language, no name of a parameter');
});

test('a message that is too long is not sent, and its limit is said', async (test) => {
  const server = await demo();
  const { page, watch } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.field.fill('y'.repeat(16_001));
  await page.getByText(t('chat.too_long', { max: '16,000' })).waitFor();
  await chat.field.press('Enter');
  assert.equal(await chat.button('chat.send').isDisabled(), true);
  await chat.say('🙂'.repeat(15_999));
  await chat.session();
  await chat.log.getByText('🙂🙂🙂').first().waitFor();
  await chat.rests();
  assert.equal(await page.getByRole('alert').count(), 0, 'what the field takes the server takes');
  assert.ok(watch.requests.length > 0);
});
