// Texts are erased by an administrator who was told what that takes; the audit stays and verifies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { enter, visit } from './lib/browser.mjs';
import { makeMember, shared, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const served = shared(startServed);

for (const language of LANGUAGES) {
  test(`texts of a project are erased, and its chain verifies, in ${language}`, async (test) => {
    const server = await served();
    const t = texts(language);
    const { rest, project } = server.admin;
    const session = await rest.session(project);
    await rest.say(session, 'hello there');
    const waits = await rest.question(project, `Write 'x' to ${language}.md`);
    const memory = `/projects/${project}/memory`;
    const match = { 'If-Match': `"${(await rest.get(memory)).version}"` };
    await rest.call('PUT', memory, { text: 'CANARY-words' }, match);
    const { page } = await visit(test, server, { language });
    await enter(page, server, server.admin);
    await page.goto(`${server.url}/p/${project}/audit`);
    // Whose memory, which version and how long it is; never what it says.
    await page.getByRole('table').getByText(t('audit.memory_chars', { chars: 12 })).first().waitFor();
    assert.equal(await page.getByRole('table').getByText('CANARY').count(), 0);
    const card = page.getByRole('region', { name: t('erase.title'), exact: true });
    await card.getByRole('button', { name: t('erase.open'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: t('erase.ask') });
    for (const part of ['erase_gone.words', 'erase_gone.salt', 'erase_stays.chain', 'erase_stays.copies']) {
      await dialog.getByText(t(part), { exact: true }).waitFor();
    }
    const erase = dialog.getByRole('button', { name: t('erase.do'), exact: true });
    await dialog.getByRole('textbox', { name: t('erase.reason') }).fill('asked for by its author');
    assert.equal(await erase.isDisabled(), true, 'nobody is sure yet');
    assert.deepEqual(await faults(page), []);
    await dialog.getByRole('checkbox', { name: t('erase.sure') }).check();
    await erase.click();
    await dialog.waitFor({ state: 'detached' });
    await card.getByText('asked for by its author').first().waitFor();
    await card.getByText(t('erase.busy', { count: 1 })).waitFor();
    const [last] = (await rest.get('/erasures')).items;
    const { sessions, plans, memories, memory_versions: versions, profile_versions: profiles } = last;
    assert.ok(memories === 1 && versions > 0, JSON.stringify(last));
    await card.getByText(t('erase.done', { sessions, plans, versions, profiles }), { exact: true }).waitFor();
    assert.deepEqual(await faults(page), []);

    const { items } = await rest.get(`/projects/${project}/sessions`);
    const left = items.map(({ id }) => id);
    assert.ok(!left.includes(session) && left.includes(waits.session), left.join());
    await rest.post(`/approvals/${waits.approval}/reject`, { digest: waits.digest, reason: 'not today' });
    const chain = page.getByRole('region', { name: t('audit.chain') });
    await chain.getByRole('button', { name: t('audit.check'), exact: true }).click();
    const { state } = await rest.get(`/projects/${project}/audit/verify`);
    assert.ok(['verified', 'unsigned_tail'].includes(state), state);
  });
}

test('who is no administrator is not offered it', async (test) => {
  const server = await served();
  const t = texts('en');
  const approver = await makeMember(server, 'min-erasure', 'approver');
  const { page } = await visit(test, server);
  await enter(page, server, approver);
  await page.goto(`${server.url}/p/${server.admin.project}/audit`);
  await page.getByRole('region', { name: t('audit.chain') }).waitFor();
  await page.getByRole('searchbox', { name: t('audit.words') }).waitFor();
  assert.equal(await page.getByRole('region', { name: t('erase.title'), exact: true }).count(), 0);
});
