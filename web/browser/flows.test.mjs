// Flows beyond talking and approving, each by keyboard alone: what they do is done, and nothing else.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { keysOnly, press, write } from './lib/keys.mjs';
import { Chat, hasFocus, opensAndReturns, tabTo } from './lib/pages.mjs';
import { begun, eventually } from './lib/rest.mjs';
import { json, lost, Service, silence } from './lib/service.mjs';
import { Server, shared, startDemo } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const t = texts('en');
const named = (page, role, key, values) => page.getByRole(role, { name: t(key, values), exact: true });
const service = shared(() =>
  new Service({ '/slow': silence, '/lost': lost, '/health': (_, response) => json(response, { ok: true }) }).start(),
);
const demo = shared(async () => {
  const [server, there] = await Promise.all([startDemo(), service()]);
  await server.rest.changePolicy(server.project, (policy) => there.allow(policy));
  return server;
});
const policyOf = async (server) => server.rest.get(`/projects/${server.project}/policy`);

test('the first run, left and found again, from the token to the start', async (test) => {
  const server = await new Server('serve').start();
  test.after(() => server.remove());
  const { page } = await keysOnly(test, server);
  const at = (step) => page.getByRole('heading', { name: t(`setup_heading.${step}`), exact: true }).waitFor();
  await page.goto(server.url);
  await at('token');
  await write(page, named(page, 'textbox', 'setup.token'), server.ready.setup_token);
  await press(page, named(page, 'button', 'setup.next'));
  await at('account');
  await write(page, named(page, 'textbox', 'sign_in.name'), 'root');
  await write(page, page.getByLabel(t('sign_in.password'), { exact: true }), 'correct horse battery');
  await write(page, page.getByLabel(t('setup.again'), { exact: true }), 'correct horse battery');
  await page.keyboard.press('Enter');
  await at('language');
  // Whoever comes to the front door in the middle is led back to where it was left.
  await page.goto(server.url);
  await at('language');
  await press(page, named(page, 'button', 'setup.next'));
  await at('provider');
  await page.goto(server.url);
  await at('provider');
  await page.getByRole('radio', { name: t('setup.offline') }).waitFor();
  await press(page, named(page, 'button', 'setup.next'));
  await at('try');
  await press(page, named(page, 'button', 'setup.send'));
  await page.getByText(t('outcome.pending'), { exact: true }).waitFor();
  await press(page, named(page, 'button', 'setup.next'));
  await at('done');
  await press(page, named(page, 'button', 'setup.start'));
  await named(page, 'button', 'chat.yes').waitFor();
  // The setup has ended: the front door leads to the chat.
  await page.goto(server.url);
  await new Chat(page).field.waitFor();
});

test('a model at an origin that nobody approved is named, and cannot be chosen', async (test) => {
  const server = await new Server('serve', { OPENAI_API_KEY: 'not-a-key' }).start();
  test.after(() => server.remove());
  const { page } = await keysOnly(test, server);
  await page.goto(server.url);
  await write(page, named(page, 'textbox', 'setup.token'), server.ready.setup_token);
  await page.keyboard.press('Enter');
  await write(page, named(page, 'textbox', 'sign_in.name'), 'root');
  await write(page, page.getByLabel(t('sign_in.password'), { exact: true }), 'correct horse battery');
  await write(page, page.getByLabel(t('setup.again'), { exact: true }), 'correct horse battery');
  await page.keyboard.press('Enter');
  await press(page, named(page, 'button', 'setup.next'));
  const key = page.getByRole('radio', { name: 'OpenAI' });
  await key.waitFor();
  assert.ok(await key.isDisabled());
  await page.getByText('OPENAI_API_KEY', { exact: true }).waitFor();
  const place = { variable: 'OPENAI_API_KEY', origin: 'https://api.openai.com' };
  await page.getByText(t('setup.variable_not_approved', place)).waitFor();
  assert.equal((await page.content()).includes('not-a-key'), false, 'its value is nowhere');
});

test('the policy as a form: a host is added, reviewed and put in force, and taken back', async (test) => {
  const server = await demo();
  const before = await policyOf(server);
  const { page } = await keysOnly(test, server);
  await page.goto(`${server.url}/p/${server.project}/policy`);
  const tab = page.getByRole('tab', { name: t('policy_view.read') });
  await tab.waitFor();
  await tabTo(page, tab);
  await page.keyboard.press('ArrowRight');
  await press(page, named(page, 'button', 'policy.add_host'));
  const host = named(page, 'textbox', 'policy.host');
  await write(page, host.last(), 'keys.example.com');
  const review = named(page, 'button', 'policy.review');
  const dialog = named(page, 'dialog', 'policy.review');
  await opensAndReturns(page, review, dialog);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await write(page, dialog.getByRole('textbox', { name: t('policy.why') }), 'a host by keys');
  await press(page, dialog.getByRole('button', { name: t('policy.save', { number: before.number + 1 }) }));
  await dialog.waitFor({ state: 'detached' });
  const after = await policyOf(server);
  const added = after.policy.allowedHosts.filter(({ host: name }) => name === 'keys.example.com');
  assert.deepEqual(added.map(({ scheme }) => scheme), ['https']);

  // What changed is told, and the version before is taken again.
  await page.goto(`${server.url}/p/${server.project}/policy?view=versions`);
  await press(page, page.getByRole('button', { name: t('policy.what_changed_in', { number: after.number }) }));
  await page.getByText('keys.example.com').first().waitFor();
  await press(page, page.getByRole('button', { name: t('policy.use_again_of', { number: before.number }) }));
  await press(page, named(page, 'button', 'policy.review'));
  await dialog.waitFor();
  await press(page, dialog.getByRole('button', { name: t('policy.save', { number: after.number + 1 }) }));
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual((await policyOf(server)).policy, before.policy);
});

test('the policy as text: an older version does not take what is unsaved without asking', async (test) => {
  const server = await demo();
  await server.rest.changePolicy(server.project, (policy) => (policy.allowedPaths = ['', 'notes']));
  const { number } = await policyOf(server);
  const { page } = await keysOnly(test, server);
  await page.goto(`${server.url}/p/${server.project}/policy?view=edit`);
  await press(page, page.getByRole('radio', { name: t('policy.form') }), 'ArrowRight');
  const field = page.getByRole('textbox', { name: t('policy.text_label') });
  await field.waitFor();
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('# my own line\n');
  const tab = page.getByRole('tab', { name: t('policy_view.edit') });
  await tabTo(page, tab, 250);
  await page.keyboard.press('ArrowRight');
  const again = page.getByRole('button', { name: t('policy.use_again_of', { number: number - 1 }) });
  await press(page, again);
  const dialog = named(page, 'dialog', 'policy.replace');
  await dialog.waitFor();
  await press(page, dialog.getByRole('button', { name: t('policy.replace_not') }));
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await hasFocus(again), 'focus returns');
  await tabTo(page, page.getByRole('tab', { name: t('policy_view.versions') }), 250);
  await page.keyboard.press('ArrowLeft');
  assert.match(await field.inputValue(), /^# my own line/, 'the draft stands');
  await press(page, named(page, 'button', 'policy.discard'));
});

test('a system is registered, given a credential, allowed and tried', async (test) => {
  const [server, there] = await Promise.all([demo(), service()]);
  const { page } = await keysOnly(test, server);
  await page.goto(`${server.url}/p/${server.project}/systems`);
  await press(page, named(page, 'button', 'systems.register'));
  await write(page, named(page, 'textbox', 'systems.name'), 'Not A Name');
  await write(page, named(page, 'textbox', 'systems.base_url'), there.url);
  await tabTo(page, named(page, 'combobox', 'systems.kind'));
  await page.keyboard.type(t('authentication.bearer'));
  await write(page, named(page, 'textbox', 'systems.id'), 'health');
  const register = page.getByRole('main').getByRole('button', { name: t('systems.register'), exact: true });
  await press(page, register);
  const name = named(page, 'textbox', 'systems.name');
  await page.getByText(t('systems.odd_name')).waitFor();
  await eventually(() => hasFocus(name), 'the first fault has the focus');
  await write(page, name, 'keyed');
  await press(page, register);
  await page.getByRole('heading', { name: 'keyed', level: 1 }).waitFor();

  const give = named(page, 'button', 'systems.give_credential');
  const dialog = named(page, 'dialog', 'systems.credential_for', { name: 'keyed' });
  await give.waitFor();
  await opensAndReturns(page, give, dialog);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await write(page, dialog.getByLabel(t('systems.secret')), 'x');
  await page.keyboard.press('Enter');
  await dialog.getByText(/fewer than/).waitFor();
  await write(page, dialog.getByLabel(t('systems.secret')), 'a-secret-of-keys');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(t('systems.has_credential'), { exact: true }).waitFor();

  await press(page, named(page, 'button', 'systems.test'));
  await page.getByText(t('systems.connected'), { exact: true }).waitFor();
  assert.equal((await page.content()).includes('a-secret-of-keys'), false, 'it is shown nowhere');
});

test('a run is stopped, and the receipt says so', async (test) => {
  const [server, there] = await Promise.all([demo(), service()]);
  const { execution } = await begun(server, `GET ${there.url}/slow and save it to slow.json`);
  await eventually(() => there.requests.includes('GET /slow'), 'the request');
  const { page } = await keysOnly(test, server);
  await page.goto(`${server.url}/p/${server.project}/executions/${execution}`);
  const stop = named(page, 'button', 'runs.cancel');
  const dialog = named(page, 'dialog', 'runs.cancel_title');
  await stop.waitFor();
  await opensAndReturns(page, stop, dialog);
  assert.equal((await server.rest.get(`/executions/${execution}`)).state, 'running', 'Escape stops nothing');
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await press(page, dialog.getByRole('button', { name: t('runs.cancel_do') }));
  await page.getByText(t('runs_state.cancelled')).waitFor();
  assert.equal((await server.rest.get(`/executions/${execution}`)).state, 'cancelled');

  const coming = page.waitForEvent('download');
  await press(page, named(page, 'button', 'runs.receipt'));
  const receipt = JSON.parse(await readFile(await (await coming).path(), 'utf8'));
  assert.ok(JSON.stringify(receipt).includes(execution), 'it is of this run');
});

test('a step that nobody saw the end of is resolved by a person, once', async (test) => {
  const [server, there] = await Promise.all([demo(), service()]);
  const { execution } = await begun(server, `POST '{"a":1}' to ${there.url}/lost`);
  const stateOf = async () => (await server.rest.get(`/executions/${execution}`)).state;
  await eventually(async () => (await stateOf()) === 'indeterminate', 'the doubt');
  const sent = there.requests.filter((one) => one === 'POST /lost').length;
  const { page } = await keysOnly(test, server);
  await page.goto(`${server.url}/p/${server.project}/executions/${execution}`);
  const happened = named(page, 'button', 'resolve_do.happened');
  const dialog = named(page, 'dialog', 'resolve_ask.happened');
  await happened.first().waitFor();
  await opensAndReturns(page, happened, dialog);
  assert.equal(await stateOf(), 'indeterminate', 'Escape resolves nothing');
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await press(page, dialog.getByRole('button', { name: t('resolve_do.happened') }));
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(t('resolution.happened')).first().waitFor();
  await eventually(async () => (await stateOf()) === 'succeeded', 'the end');
  assert.equal(there.requests.filter((one) => one === 'POST /lost').length, sent, 'it is not sent again');
});

test('the audit: searched, read and checked', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'audit' to audit.md");
  const { page } = await keysOnly(test, server);
  await page.goto(`${server.url}/p/${server.project}/audit`);
  const words = page.getByRole('searchbox', { name: t('audit.words') });
  await write(page, words, 'nothing is called so');
  await page.keyboard.press('Enter');
  await page.getByText(t('audit.none_found')).waitFor();
  await write(page, words, asked.approval);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**q=${asked.approval}*`);
  const kind = page.getByRole('combobox', { name: t('audit.kind') });
  await tabTo(page, kind, 250);
  await page.keyboard.type(t('record.approval.asked'));
  await page.waitForURL('**kind=approval.asked*');
  const rows = page.getByRole('table').getByRole('button');
  await rows.first().waitFor();
  assert.equal(await page.getByRole('table').locator('tbody tr').count(), 1);
  const record = page.getByRole('dialog');
  await opensAndReturns(page, rows.first(), record, async () => {
    await record.getByText(asked.approval).first().waitFor();
    assert.equal(await record.getByText('audit.md').count(), 0, 'no text of people');
  });
  const chain = page.getByText(t('chain.verified'), { exact: true }).or(page.getByText(t('chain.unsigned_tail'), { exact: true }));
  await chain.first().waitFor();
  await press(page, named(page, 'button', 'audit.check'));
  await chain.first().waitFor();
});

test('another wish takes the place of a plan that waits', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'first' to change.md");
  const { page } = await keysOnly(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project, asked.session);
  await press(page, chat.button('chat.change'));
  await eventually(() => hasFocus(chat.field), 'the field has the focus');
  await page.keyboard.type("change the content to 'second'");
  await page.keyboard.press('Enter');
  await eventually(async () => (await server.rest.get(`/approvals/${asked.approval}`)).state !== 'pending', 'the old one is closed');
  // The new one is drawn when the old one is gone; its words stand in the message before that.
  await eventually(async () => (await chat.button('chat.yes').count()) > 0, 'the new plan is shown');
  await chat.log.getByText('second').last().waitFor();
  assert.notEqual((await server.rest.get(`/approvals/${asked.approval}`)).state, 'approved');
  // The old button may still have stood there above, and the new one comes with a later event.
  await eventually(async () => (await chat.button('chat.yes').count()) === 1, 'one plan waits');
});
