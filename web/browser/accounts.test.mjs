// Tokens, users, members and projects, on their screens; and the list of shortcuts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { makeMember, shared, startServed } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const served = shared(startServed);
const t = texts('en');
const named = (within, role, key, values) => within.getByRole(role, { name: t(key, values), exact: true });

async function opened(test, person, path) {
  const server = await served();
  const { page } = await visit(test, server);
  await enter(page, server, person ?? server.admin);
  await page.goto(`${server.url}${path(server)}`);
  return { server, page };
}

const asked = (server, token) =>
  fetch(`${server.url}/api/v2/auth/me`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

test('a token is shown once, lets a client in, and no more once it is revoked', async (test) => {
  const { server, page } = await opened(test, null, () => '/tokens');
  await named(page, 'button', 'tokens.create').click();
  const made = page.getByRole('dialog', { name: t('tokens.made') });
  const token = await made.locator('code').innerText();
  await named(made, 'button', 'ui.close').last().click();
  assert.equal(await asked(server, token), 200);
  assert.equal(await page.getByText(token).count(), 0, 'not a second time');
  const list = page.getByRole('region', { name: t('tokens.list') });
  // The newest stands first, and is not the log-in of this page.
  await list.getByRole('button', { name: /^Revoke: / }).first().click();
  await named(page.getByRole('dialog', { name: t('tokens.revoke_ask') }), 'button', 'tokens.revoke').click();
  await page.getByRole('dialog', { name: t('tokens.revoke_ask') }).waitFor({ state: 'detached' });
  assert.equal(await asked(server, token), 401);
});

test('an administrator makes a user, who can then sign in; nobody else sees the form', async (test) => {
  const { server, page } = await opened(test, null, () => '/users');
  const form = page.getByRole('form', { name: t('users.new') });
  await form.getByLabel(t('people.name')).fill('newcomer');
  await form.getByLabel(t('users.password')).fill('a long enough password 7');
  await named(form, 'button', 'users.create').click();
  await page.getByRole('region', { name: t('users.list') }).getByText('newcomer', { exact: true }).waitFor();
  const { page: other } = await visit(test, server);
  await enter(other, server, { name: 'newcomer', password: 'a long enough password 7' });
  await other.goto(`${server.url}/users`);
  await other.getByText(t('users.for_admins')).waitFor();
  assert.equal(await other.getByRole('form', { name: t('users.new') }).count(), 0);
});

test('an administrator closes an account, opens it and gives it a new password', async (test) => {
  const { server, page } = await opened(test, null, () => '/users');
  const han = await makeMember(server, 'han', 'editor');
  const { page: theirs } = await visit(test, server);
  await enter(theirs, server, han);
  await page.reload();
  await named(page, 'button', 'users.close_of', { name: 'han' }).click();
  const ask = page.getByRole('dialog', { name: t('users.close_ask', { name: 'han' }) });
  await named(ask, 'button', 'users.close_do').click();
  await ask.waitFor({ state: 'detached' });
  const open = named(page, 'button', 'users.open_of', { name: 'han' });
  await open.waitFor();
  await theirs.goto(`${server.url}/tokens`);
  await named(theirs, 'button', 'sign_in.do').waitFor();
  await open.click();
  await named(page, 'button', 'users.close_of', { name: 'han' }).waitFor();
  await named(page, 'button', 'users.reset_of', { name: 'han' }).click();
  const reset = page.getByRole('dialog', { name: t('users.reset_title', { name: 'han' }) });
  await reset.getByLabel(t('users.password')).fill('another long password 8');
  await named(reset, 'button', 'users.reset_do').click();
  await reset.waitFor({ state: 'detached' });
  await enter(theirs, server, { name: 'han', password: 'another long password 8' });
  // One's own account has no such buttons.
  assert.equal(await named(page, 'button', 'users.close_of', { name: server.admin.name }).count(), 0);
});

test('who changes the password needs the old one, and is signed out everywhere else', async (test) => {
  const server = await served();
  const min = await makeMember(server, 'min', 'viewer');
  const { page } = await opened(test, min, () => '/account');
  const { page: elsewhere } = await visit(test, server);
  await enter(elsewhere, server, min);
  const form = page.getByRole('form', { name: t('account.password') });
  const fill = async (old) => {
    await form.getByLabel(t('account.old'), { exact: true }).fill(old);
    await form.getByLabel(t('account.new'), { exact: true }).fill('another long password 9');
    await form.getByLabel(t('account.again'), { exact: true }).fill('another long password 9');
    await named(form, 'button', 'account.change').click();
  };
  await fill('not the old password');
  await page.getByRole('alert').first().waitFor();
  assert.ok(await named(form, 'button', 'account.change').isVisible(), 'still signed in');
  await fill(min.password);
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
  await elsewhere.goto(`${server.url}/tokens`);
  await named(elsewhere, 'button', 'sign_in.do').waitFor();
  await enter(elsewhere, server, { name: 'min', password: 'another long password 9' });
  await named(page, 'button', 'account.end_others').click();
  const ask = page.getByRole('dialog', { name: t('account.end_ask') });
  await named(ask, 'button', 'account.end_others').click();
  await ask.waitFor({ state: 'detached' });
  await elsewhere.goto(`${server.url}/tokens`);
  await named(elsewhere, 'button', 'sign_in.do').waitFor();
  await page.reload();
  await form.waitFor();
});

test('a member gets another role and is removed; a project is made', async (test) => {
  const server = await served();
  await makeMember(server, 'yun', 'viewer');
  const { page } = await opened(test, null, ({ admin }) => `/p/${admin.project}/members`);
  const roles = page.getByRole('group', { name: t('members.roles_of', { name: 'yun' }) });
  await roles.getByRole('checkbox', { name: t('member_role.editor') }).check();
  await page.getByText(t('members.saved')).first().waitFor();
  const members = async () => {
    const { items } = await server.admin.rest.get(`/projects/${server.admin.project}/members`);
    return items.find(({ name }) => name === 'yun')?.roles.toSorted();
  };
  assert.deepEqual(await members(), ['editor', 'viewer']);
  await named(page, 'button', 'members.remove_of', { name: 'yun' }).click();
  await roles.waitFor({ state: 'detached' });
  assert.equal(await members(), undefined);
  const form = page.getByRole('form', { name: t('projects.new') });
  await form.getByLabel(t('projects.name')).fill('warehouse');
  await named(form, 'button', 'projects.create').click();
  await page.getByText(t('members.text', { project: 'warehouse' })).waitFor();
});

test('a question mark lists the shortcuts, and in a field it is a question mark', async (test) => {
  const { page } = await opened(test, null, ({ admin }) => `/p/${admin.project}/chat`);
  const field = page.getByRole('textbox', { name: t('chat.message') });
  await field.waitFor();
  await field.press('?');
  assert.equal(await field.inputValue(), '?');
  const shortcuts = page.getByRole('dialog', { name: t('app.shortcuts') });
  assert.equal(await shortcuts.count(), 0);
  await field.fill('');
  await field.blur();
  await page.keyboard.press('?');
  await shortcuts.waitFor();
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });
});
