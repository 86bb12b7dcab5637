// Deciding: once, on exactly what was shown, in one window or in two.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { makeMember, shared, startDemo, startServed } from './lib/server.mjs';
import { LANGUAGES, pattern, texts } from './lib/texts.mjs';

const demo = shared(startDemo);
/** Two people have to approve there. */
const served = shared(async () => {
  const server = await startServed();
  await server.admin.rest.changePolicy(server.admin.project, ({ approval: { normal } }) => {
    Object.assign(normal, { by: 'another_person', approvers: 2 });
  });
  return server;
});
const t = texts('en');

const written = (server, file) => readFile(join(server.ready.workspace, file), 'utf8');
const approvalOf = (server, id) => server.rest.get(`/approvals/${id}`);

/** One question in the inbox. */
class Question {
  constructor(page, language = 'en') {
    this.page = page;
    this.t = texts(language);
    this.pane = page.getByRole('region', { name: this.t('inbox.question') });
    this.confirming = page.getByRole('dialog', { name: this.t('approve.title') });
  }

  async open(server, id) {
    await this.page.goto(`${server.url}/approvals/${id}`);
    await this.pane.getByRole('button', { name: this.t('inbox.approve'), exact: true }).waitFor();
  }

  async ask() {
    await this.pane.getByRole('button', { name: this.t('inbox.approve'), exact: true }).click();
    await this.confirming.waitFor();
  }

  /** One press below the exact effect. */
  async approve() {
    await this.pane.getByRole('button', { name: this.t('inbox.approve'), exact: true }).click();
  }

  confirm() {
    return this.confirming.getByRole('button', { name: this.t('approve.do') }).click();
  }
}

for (const language of LANGUAGES) {
  test(`a question is found in the inbox, read and approved (${language})`, async (test) => {
    const server = await demo();
    const file = `inbox/${language}.md`;
    const asked = await server.rest.question(server.project, `Write 'yes ${language}' to ${file}`);
    const { page } = await visit(test, server, { language });
    await page.goto(`${server.url}/approvals`);
    const say = texts(language);
    await page.getByRole('link', { name: file }).click();
    await page.waitForURL(`**/approvals/${asked.approval}`);
    const question = new Question(page, language);
    await question.pane.getByText(`yes ${language}`, { exact: true }).waitFor();
    await assert.rejects(written(server, file), 'nothing is written before the yes');
    await question.approve();
    await question.pane.getByText(say('inbox_run.succeeded')).waitFor();
    assert.equal(await written(server, file), `yes ${language}`);
    assert.equal((await approvalOf(server, asked.approval)).state, 'consumed');
  });
}

test('what cannot be undone is asked twice, everything else once', async (test) => {
  const server = await demo();
  await writeFile(join(server.ready.workspace, 'precious.md'), 'kept');
  const asked = await server.rest.question(server.project, 'Delete precious.md');
  const { page } = await visit(test, server);
  const question = new Question(page);
  await question.open(server, asked.approval);
  await question.ask();
  await question.confirming.getByText('kept', { exact: true }).waitFor();
  assert.equal(await written(server, 'precious.md'), 'kept', 'one press is no yes');
  await question.confirm();
  await question.pane.getByText(t('inbox_run.succeeded')).waitFor();
  await assert.rejects(written(server, 'precious.md'));
  const once = await server.rest.question(server.project, "Write 'x' to once.md");
  await question.open(server, once.approval);
  await question.approve();
  await question.pane.getByText(t('inbox_run.succeeded')).waitFor();
  assert.equal(await question.confirming.count(), 0);
});

test('what was approved once is approved for the next times, and ended', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'x' to often.md");
  const { page } = await visit(test, server);
  const question = new Question(page);
  await question.open(server, asked.approval);
  await question.approve();
  await question.pane.getByText(t('inbox_run.succeeded')).waitFor();
  await question.pane.getByText(t('grant.also')).click();
  await question.pane.getByRole('group', { name: t('grant.what') }).getByRole('radio').last().check();
  await question.pane.getByText('often.md', { exact: true }).first().waitFor();
  await question.pane.getByRole('spinbutton', { name: t('grant.uses') }).fill('2');
  await question.pane.getByRole('button', { name: t('grant.give') }).click();
  await page.getByText(t('grant.given')).waitFor();
  const session = await server.rest.session(server.project);
  const events = await server.rest.say(session, "Write 'y' to often.md");
  assert.ok(!events.some(({ event }) => event === 'preview'), 'nobody is asked');
  assert.equal(await written(server, 'often.md'), 'y');
  await page.reload();
  const list = page.locator('details', { has: page.locator('summary', { hasText: t('grant.list') }) });
  await list.locator('summary').click();
  await list.getByText(t('grant.left', { left: 1, uses: 2 })).waitFor();
  await list.getByRole('button', { name: t('grant.end') }).click();
  await list.getByText(t('grant_state.revoked'), { exact: true }).waitFor();
  await server.rest.question(server.project, "Write 'z' to often.md");
});

for (const language of LANGUAGES) {
  test(`what is approved beforehand may begin later, and is listed with its beginning (${language})`, async (test) => {
    const server = await demo();
    const say = texts(language);
    const file = `later-${language}.md`;
    const asked = await server.rest.question(server.project, `Write 'x' to ${file}`);
    const { page } = await visit(test, server, { language });
    const question = new Question(page, language);
    await question.open(server, asked.approval);
    await question.approve();
    await question.pane.getByText(say('inbox_run.succeeded')).waitFor();
    await question.pane.getByText(say('grant.also')).click();
    const from = question.pane.getByLabel(say('grant.from'), { exact: true });
    const until = question.pane.getByLabel(say('grant.ends'), { exact: true });
    const give = question.pane.getByRole('button', { name: say('grant.give') });
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    await question.pane.getByText(say('inbox.zone', { zone })).waitFor();
    const refused = (field) => field.evaluate((input) => {
      const told = document.getElementById(input.getAttribute('aria-describedby') ?? '');
      return input.getAttribute('aria-invalid') === 'true' && (told?.className ?? '').includes('error');
    });
    // Behind the end: the server names the field.
    await from.fill('2099-01-01T00:00');
    await give.click();
    await question.pane.getByRole('alert').waitFor();
    assert.deepEqual([await refused(from), await refused(until)], [true, false]);
    const day = (days) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    await from.fill(`${day(1)}T12:00`);
    await until.fill(`${day(60)}T12:00`);
    await give.click();
    await question.pane.getByRole('alert').waitFor({ state: 'detached' });
    assert.deepEqual([await refused(from), await refused(until)], [false, true]);
    await question.pane.getByRole('button', { name: say('grant.days', { days: 14 }), exact: true }).click();
    assert.equal((await until.inputValue()).length, '2026-01-01T00:00'.length);
    await until.fill(`${day(3)}T12:00`);
    await give.click();
    await page.getByText(say('grant.given')).waitFor();
    await page.reload();
    const list = page.locator('details', { has: page.locator('summary', { hasText: say('grant.list') }) });
    await list.locator('summary').click();
    const row = list.getByRole('listitem').filter({ hasText: file }).first();
    await row.getByText(say('grant_state.planned'), { exact: true }).waitFor();
    await row.getByText(say('grant.begins')).first().waitFor();
    const { items } = await server.rest.get(`/projects/${server.project}/approval-grants`);
    const ends = items.find(({ made_from: of }) => of === asked.approval).expires_at;
    const wanted = await page.evaluate((local) => new Date(local).getTime(), `${day(3)}T12:00`);
    assert.ok(Math.abs(Date.parse(ends) - wanted) < 60_000, ends);
    await server.rest.question(server.project, `Write 'x' to ${file}`);
  });
}

test('a question is rejected with a reason, which is kept', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'never' to rejected.md");
  const { page } = await visit(test, server);
  const question = new Question(page);
  await question.open(server, asked.approval);
  await question.pane.getByRole('button', { name: t('inbox.reject'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('inbox.reject_title') });
  await dialog.getByRole('textbox', { name: t('inbox.reason') }).fill('지금은 아닙니다');
  await dialog.getByRole('button', { name: t('inbox.reject_do') }).click();
  await dialog.waitFor({ state: 'detached' });
  await question.pane.getByText(t('inbox_state.rejected')).waitFor();
  assert.equal((await approvalOf(server, asked.approval)).state, 'rejected');
  const { items } = await server.rest.get(`/sessions/${asked.session}/history`);
  const begun = items.filter(({ event }) => event === 'accepted').at(-1);
  assert.equal(begun.decision.reason, '지금은 아닙니다', 'the conversation holds the reason');
  assert.equal(begun.text, '', 'as a reason and not as a message');
  await assert.rejects(written(server, 'rejected.md'));
});

for (const language of LANGUAGES) {
  test(`values are changed in place of an answer, and the changed plan is asked about anew (${language})`, async (test) => {
    const server = await demo();
    const file = `edited-${language}.md`;
    const asked = await server.rest.question(server.project, `Write 'wrong' to ${file}`);
    const { page } = await visit(test, server, { language });
    const question = new Question(page, language);
    const say = texts(language);
    await question.open(server, asked.approval);
    await question.pane.getByRole('button', { name: say('inbox.edit'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say('inbox.edit_title') });
    const press = dialog.getByRole('button', { name: say('inbox.edit_do') });
    assert.ok(await press.isDisabled(), 'nothing is changed yet');
    const values = dialog.getByRole('textbox');
    for (let at = 0; at < (await values.count()); at++) {
      if ((await values.nth(at).inputValue()) === 'wrong') await values.nth(at).fill('right');
    }
    await dialog.getByRole('textbox', { name: say('inbox.edit_note') }).fill('typo');
    await dialog.getByText(say('inbox.edit_then_own')).waitFor();
    await press.click();
    await dialog.waitFor({ state: 'detached' });
    await question.pane.getByText(say('inbox_state.edited')).waitFor();
    await assert.rejects(written(server, file), 'nothing runs by an edit');
    assert.equal((await approvalOf(server, asked.approval)).state, 'edited');
    const { items } = await server.rest.get('/approvals?state=pending');
    const anew = items.find(({ session }) => session === asked.session);
    await question.open(server, anew.id);
    await question.pane.getByText('right', { exact: true }).first().waitFor();
    await question.approve();
    await question.pane.getByText(say('inbox_run.succeeded')).waitFor();
    assert.equal(await written(server, file), 'right');
  });
}

test('a plan that changed meanwhile is not approved by a late yes', async (test) => {
  const server = await demo();
  await writeFile(join(server.ready.workspace, 'stale-old.md'), 'old');
  const asked = await server.rest.question(server.project, 'Delete stale-old.md');
  const { page } = await visit(test, server);
  const question = new Question(page);
  await question.open(server, asked.approval);
  await question.ask();
  // In the dialog stands the old plan; elsewhere the person takes it back.
  await server.rest.say(asked.session, 'cancel');
  await Promise.any([question.confirm(), question.confirming.getByRole('alert').waitFor()]);
  await question.confirming.getByRole('alert').waitFor();
  assert.equal(await question.confirming.getByRole('button', { name: t('approve.do') }).count(), 0);
  await question.confirming.getByRole('button', { name: t('ui.close'), exact: true }).last().click();
  await question.pane.getByText(t('inbox_state.withdrawn')).waitFor();
  assert.equal(await written(server, 'stale-old.md'), 'old');
  assert.ok((await server.rest.executions(server.project)).every((run) => run.blueprint !== asked.blueprint));
});

for (const language of LANGUAGES) {
  test(`a state has one word in the filter, the list and the detail (${language})`, async (test) => {
    const server = await demo();
    const say = texts(language);
    const word = say('approval.withdrawn');
    const file = `one-word-${language}.md`;
    const asked = await server.rest.question(server.project, `Write 'x' to ${file}`);
    await server.rest.say(asked.session, 'cancel');
    const { page } = await visit(test, server, { language });
    await page.goto(`${server.url}/approvals/${asked.approval}?state=withdrawn`);
    await page.getByRole('link', { name: file }).getByText(word, { exact: true }).waitFor();
    const question = new Question(page, language);
    await question.pane.getByText(say('inbox_state.withdrawn'), { exact: true }).waitFor();
    await question.pane.getByText(word, { exact: true }).first().waitFor();
    const states = page.getByRole('combobox', { name: say('inbox.state'), exact: true });
    assert.ok((await states.locator('option').allTextContents()).includes(word));
  });
}

test('what was decided elsewhere is told without a press', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'x' to elsewhere.md");
  const { page } = await visit(test, server);
  const question = new Question(page);
  await question.open(server, asked.approval);
  await server.rest.post(`/approvals/${asked.approval}/reject`, { digest: asked.digest, reason: 'no' });
  const told = pattern('en', 'inbox.meanwhile_decided', { state: t('approval_by.rejected', { name: 'guest' }) });
  await question.pane.getByText(told).waitFor();
  assert.equal(await question.pane.getByRole('button', { name: t('inbox.approve'), exact: true }).count(), 0);
});

for (const language of LANGUAGES) {
  test(`values that somebody else changed meanwhile are told, also in an open dialog (${language})`, async (test) => {
    const server = await demo();
    const say = texts(language);
    const file = `meanwhile-${language}.md`;
    const asked = await server.rest.question(server.project, `Write 'old' to ${file}`);
    const { page } = await visit(test, server, { language });
    const question = new Question(page, language);
    await question.open(server, asked.approval);
    await question.pane.getByRole('button', { name: say('inbox.reject'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say('inbox.reject_title') });
    await dialog.waitFor();
    const changes = { content: 'new' };
    await server.rest.post(`/approvals/${asked.approval}/edit`, { digest: asked.digest, changes, note: '' });
    const state = say('approval_by.edited', { name: 'guest' });
    const told = pattern(language, 'inbox.meanwhile_edited', { state });
    await dialog.getByRole('alert').filter({ hasText: told }).waitFor();
    assert.equal(await dialog.getByRole('button', { name: say('inbox.reject_do'), exact: true }).count(), 0);
    await dialog.getByRole('button', { name: say('ui.close'), exact: true }).last().click();
    await question.pane.getByText(told).waitFor();
    for (const key of ['inbox.approve', 'inbox.reject', 'inbox.edit']) {
      assert.equal(await question.pane.getByRole('button', { name: say(key), exact: true }).count(), 0, key);
    }
    await assert.rejects(written(server, file), 'nothing runs by an edit');
  });
}

test('what another of two said meanwhile is told', async (test) => {
  const server = await served();
  const { project } = server.admin;
  const asks = await makeMember(server, 'asks-two', 'editor');
  const reads = await makeMember(server, 'reads-two', 'approver');
  const answers = await makeMember(server, 'answers-two', 'approver');
  const asked = await asks.rest.question(project, "Write 'x' to counted.md");
  const { page } = await visit(test, server);
  await enter(page, server, reads);
  const question = new Question(page);
  await question.open(server, asked.approval);
  await answers.rest.post(`/approvals/${asked.approval}/approve`, { digest: asked.digest });
  const state = t('chat.tally', { given: 1, approvers: 2 });
  await question.pane.getByText(t('inbox.meanwhile_counted', { state }), { exact: true }).waitFor();
  await reads.rest.post(`/approvals/${asked.approval}/reject`, { digest: asked.digest });
});

test('two tabs that approve at once: one effect, and one clear answer each', async (test) => {
  const server = await demo();
  await writeFile(join(server.ready.workspace, 'twice.md'), 'once');
  const asked = await server.rest.question(server.project, 'Delete twice.md');
  const { page, context } = await visit(test, server);
  const tabs = [new Question(page), new Question(await context.newPage())];
  for (const tab of tabs) {
    await tab.open(server, asked.approval);
    await tab.ask();
  }
  // The slower one may find its button gone before it is pressed: the plan has changed by then.
  const pressed = (tab) => Promise.any([tab.confirm(), tab.confirming.getByRole('alert').waitFor()]);
  await Promise.all(tabs.map(pressed));
  const told = async (tab) => {
    const refused = tab.confirming.getByRole('alert').waitFor();
    await Promise.any([refused, tab.confirming.waitFor({ state: 'detached' })]);
    refused.catch(() => undefined);
    if ((await tab.confirming.count()) === 0) return 'done';
    assert.equal(await tab.confirming.getByRole('button', { name: t('approve.do') }).count(), 0);
    await tab.confirming.getByRole('button', { name: t('ui.close'), exact: true }).last().click();
    await tab.pane.getByText(t('inbox_run.succeeded')).waitFor();
    return 'too late';
  };
  const answers = await Promise.all(tabs.map(told));
  assert.deepEqual(answers.toSorted(), ['done', 'too late']);
  await assert.rejects(written(server, 'twice.md'));
  const runs = await server.rest.executions(server.project);
  assert.equal(runs.filter((run) => run.approval === asked.approval || run.blueprint === asked.blueprint).length, 1);
});

test('the inbox follows its filters and what happens elsewhere', async (test) => {
  const server = await demo();
  const asked = await server.rest.question(server.project, "Write 'mine' to live.md");
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/approvals?requester=others`);
  await page.getByText(t('inbox.none_found')).waitFor();
  await page.goto(`${server.url}/approvals?requester=me`);
  await page.getByRole('link', { name: 'live.md' }).waitFor();
  await server.rest.post(`/approvals/${asked.approval}/reject`, { digest: asked.digest, reason: 'over' });
  await page.getByRole('link', { name: 'live.md' }).waitFor({ state: 'detached' });
});

test('why names everybody who approved, in that order', async (test) => {
  const server = await served();
  const { project, rest, name } = server.admin;
  const lee = await makeMember(server, 'lee', 'editor');
  const min = await makeMember(server, 'min', 'approver');
  const { approval, blueprint, digest } = await lee.rest.question(project, "Write 'x' to both.md");
  for (const who of [min.rest, rest]) await who.post(`/approvals/${approval}/approve`, { digest });
  const { page } = await visit(test, server);
  await enter(page, server, server.admin);
  await page.goto(`${server.url}/p/${project}/why/${blueprint}`);
  const answers = page.locator('bdi').filter({ hasText: pattern('en', 'approval_by.approved') });
  await answers.first().waitFor();
  const due = [min.name, name].map((who) => t('approval_by.approved', { name: who }));
  assert.deepEqual(await answers.allTextContents(), due);
});

for (const language of LANGUAGES) {
  test(`a yes that waits for others is taken back with a reason, and can be given again (${language})`, async (test) => {
    const server = await served();
    const say = texts(language);
    const writer = await makeMember(server, `writes-${language}`, 'editor');
    const doubter = await makeMember(server, `doubts-${language}`, 'approver');
    const asked = await writer.rest.question(server.admin.project, `Write 'x' to back-${language}.md`);
    await doubter.rest.post(`/approvals/${asked.approval}/approve`, { digest: asked.digest });
    const { page } = await visit(test, server, { language });
    await enter(page, server, doubter);
    await page.goto(`${server.url}/approvals/${asked.approval}`);
    const pane = page.getByRole('region', { name: say('inbox.question') });
    await pane.getByRole('button', { name: say('inbox.revoke'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say('inbox.revoke_title') });
    await dialog.getByText(say('inbox.revoke_waits')).waitFor();
    await dialog.getByRole('textbox', { name: say('inbox.reason') }).fill('wrong folder');
    await dialog.getByRole('button', { name: say('inbox.revoke'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await pane.getByRole('button', { name: say('inbox.approve'), exact: true }).waitFor();
    const { items } = await writer.rest.get(`/sessions/${asked.session}/history`);
    const told = items.find(({ event }) => event === 'approval_revoked');
    assert.deepEqual([told.by_name, told.reason], [doubter.name, 'wrong folder']);
    await doubter.rest.post(`/approvals/${asked.approval}/reject`, { digest: asked.digest });
  });
}

for (const language of LANGUAGES) {
  test(`a temporary policy is told where questions of its project are listed (${language})`, async (test) => {
    const server = await served();
    const { project, rest } = server.admin;
    const say = texts(language);
    const lee = await makeMember(server, `lee-${language}`, 'editor');
    const min = await makeMember(server, `min-${language}`, 'approver');
    const { approval, digest } = await lee.rest.question(project, `Write 'x' to told-${language}.md`);
    const { id } = await rest.proposeOverride(project, 'the night shift', (policy) => policy.allowedPaths.push('ops'));
    await min.rest.post(`/projects/${project}/overrides/${id}/approve`, {});
    const { page } = await visit(test, server, { language });
    await enter(page, server, server.admin);
    await page.goto(`${server.url}/approvals`);
    const banner = page.getByRole('region', { name: say('override.notice') });
    await banner.getByText('the night shift').waitFor();
    const link = banner.getByRole('link', { name: say('override.see') });
    assert.equal(await link.getAttribute('href'), `/p/${project}/policy?view=overrides`);
    await page.goto(`${server.url}/approvals?requester=me`);
    await page.getByText(say('inbox.none_found')).waitFor();
    assert.equal(await banner.count(), 0, 'nothing of the project is listed');
    await rest.post(`/projects/${project}/overrides/${id}/end`, { reason: 'over' });
    await rest.post(`/approvals/${approval}/reject`, { digest });
  });
}

for (const language of LANGUAGES) {
  test(`of two who have to approve, one is counted and the other waited for (${language})`, async (test) => {
    const server = await served();
    const { project } = server.admin;
    const say = texts(language);
    const tally = (given) => say('chat.tally', { given, approvers: 2 });
    const file = `both-${language}.md`;
    const nia = await makeMember(server, `asks-${language}`, 'editor');
    const one = await makeMember(server, `one-${language}`, 'approver');
    const two = await makeMember(server, `two-${language}`, 'approver');
    const asked = await nia.rest.question(project, `Write 'x' to ${file}`);
    const entered = async (person, given) => {
      const { page } = await visit(test, server, { language });
      await enter(page, server, person);
      await page.goto(`${server.url}/approvals`);
      const row = page.getByRole('link', { name: file });
      await row.getByText(tally(given), { exact: true }).waitFor();
      const question = new Question(page, language);
      await question.open(server, asked.approval);
      return question;
    };

    const first = await entered(one, 0);
    await first.approve();
    await first.pane.getByText(say('inbox.said_yes'), { exact: true }).waitFor();
    await first.pane.getByText(tally(1), { exact: true }).first().waitFor();
    const again = first.pane.getByRole('button', { name: say('inbox.approve'), exact: true });
    assert.equal(await again.count(), 0, 'nobody is counted twice');
    const half = await nia.rest.get(`/approvals/${asked.approval}`);
    assert.deepEqual([half.state, half.given, half.execution ?? null], ['pending', 1, null]);

    const second = await entered(two, 1);
    await second.pane.getByText(one.name, { exact: true }).first().waitFor();
    await second.approve();
    await second.pane.getByText(say('inbox_run.succeeded')).waitFor();
    await first.pane.getByText(say('inbox_run.succeeded')).waitFor();
    const { approved_by: yeses } = await nia.rest.get(`/approvals/${asked.approval}`);
    assert.deepEqual(yeses.map(({ name }) => name), [one.name, two.name]);
  });
}
