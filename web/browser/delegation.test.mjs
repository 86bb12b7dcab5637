// A right to approve that is lent on the page of approvals, used there by another person, and ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { eventually } from './lib/rest.mjs';
import { makeMember, shared, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const served = shared(async () => {
  const server = await startServed();
  await server.admin.rest.changePolicy(server.admin.project, (policy) => {
    policy.approval.normal.by = 'another_person';
  });
  return server;
});

async function entered(test, server, person, language) {
  const { page } = await visit(test, server, { language });
  await enter(page, server, person);
  return page;
}

/** As the field of a date and time takes it. */
const inDays = (days) => {
  const at = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  const two = (number) => String(number).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

for (const language of LANGUAGES) {
  test(`a member answers on behalf of another until that ends (${language})`, async (test) => {
    const server = await served();
    const { project } = server.admin;
    const lee = await makeMember(server, `lee-${language}`, 'editor');
    const min = await makeMember(server, `min-${language}`, 'approver');
    const kim = await makeMember(server, `kim-${language}`, 'viewer');
    const say = texts(language);
    const asked = await lee.rest.question(project, `Write 'x' to lent-${language}.md`);

    const mine = await entered(test, server, min, language);
    await mine.goto(`${server.url}/approvals?project=${project}`);
    const panel = mine.locator('details', { has: mine.locator('summary', { hasText: say('delegation.title') }) });
    await panel.locator('summary').click();
    const form = panel.getByRole('form', { name: say('delegation.lend') });
    await form.getByLabel(say('delegation.to')).selectOption({ label: kim.name });
    const reason = form.getByRole('textbox', { name: say('inbox.reason') });
    await reason.fill('휴가');
    const until = form.getByLabel(say('delegation.until'), { exact: true });
    const lend = form.getByRole('button', { name: say('delegation.lend') });
    await until.fill(inDays(60));
    await lend.click();
    await form.getByRole('alert').waitFor();
    assert.equal(await reason.inputValue(), '휴가', 'nothing of what was written is lost');
    await until.fill(inDays(2));
    await lend.click();
    const names = { delegator: min.name, delegate: kim.name };
    const lent = panel.getByRole('listitem').filter({ hasText: say('delegation.whose', names) });
    await lent.getByText(say('delegation_state.in_force'), { exact: true }).waitFor();

    const theirs = await entered(test, server, kim, language);
    await theirs.goto(`${server.url}/approvals/${asked.approval}`);
    const pane = theirs.getByRole('region', { name: say('inbox.question') });
    await pane.getByText(say('inbox.answers_for', { name: min.name })).waitFor();
    await pane.getByRole('button', { name: say('inbox.approve'), exact: true }).click();
    await pane.getByText(say('inbox_run.succeeded')).waitFor();
    await pane.getByText(say('approval_by.on_behalf', { name: min.name })).first().waitFor();
    const { decided_by: by, on_behalf_of: whose } = await lee.rest.get(`/approvals/${asked.approval}`);
    assert.deepEqual([by, whose], [kim.user, min.user]);

    await lent.getByRole('button', { name: say('delegation.end') }).click();
    await lent.getByText(say('delegation_state.ended'), { exact: true }).waitFor();
    const next = await lee.rest.question(project, `Write 'y' to lent-${language}.md`);
    await eventually(async () => {
      const { items } = await min.rest.get('/approvals?state=pending');
      return items.some(({ id }) => id === next.approval) || null;
    }, 'the next question');
    const { items } = await kim.rest.get('/approvals?state=pending');
    assert.deepEqual(items, [], 'what is not lent any more is not there');
    await theirs.goto(`${server.url}/approvals/${next.approval}`);
    await theirs.getByRole('alert').waitFor();
    assert.equal(await theirs.getByText(`lent-${language}.md`).count(), 0);
  });
}
