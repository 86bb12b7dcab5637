// Changing what may be done, and the next decision follows it.
import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const demo = shared(startDemo);
const t = texts('en');

class Policy {
  constructor(page, say = t) {
    this.page = page;
    this.say = say;
    this.review = page.getByRole('dialog', { name: say('policy.review') });
  }

  async edit(server) {
    await this.page.goto(`${server.url}/p/${server.project}/policy`);
    await this.page.getByRole('tab', { name: this.say('policy_view.edit') }).click();
  }

  async save(number) {
    await this.page.getByRole('button', { name: t('policy.review'), exact: true }).click();
    await this.review.getByRole('textbox', { name: t('policy.why') }).fill('a test of the browser');
    await this.review.getByRole('button', { name: t('policy.save', { number: number + 1 }) }).click();
    await this.review.waitFor({ state: 'detached' });
    await this.page.getByText(t('policy.version', { number: number + 1 }), { exact: true }).first().waitFor();
  }
}

const numberOf = async (server) => (await server.rest.get(`/projects/${server.project}/policy`)).number;

test('a step that is taken out of the policy is denied at the next decision', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say("Write 'before' to before.md");
  await chat.button('chat.yes').waitFor();

  const policy = new Policy(await page.context().newPage());
  const number = await numberOf(server);
  await policy.edit(server);
  await policy.page.getByRole('checkbox', { name: t('step.FILE_WRITE') }).uncheck();
  await policy.save(number);
  assert.equal(await numberOf(server), number + 1);

  // What was asked under the old policy no longer runs either.
  await chat.approve();
  const strip = chat.log.getByRole('group', { name: chat.t('decision.strip') });
  await strip.getByRole('button', { name: t('chip.ruling_deny') }).last().waitFor();

  await chat.open(server, server.project);
  await chat.say("Write 'after' to after.md");
  await strip.getByRole('button').last().waitFor();
  await chat.rests();
  assert.equal(await chat.button('chat.yes').count(), 0, 'nobody is asked about what policy refuses');
  for (const file of ['before.md', 'after.md']) {
    await assert.rejects(access(join(server.ready.workspace, file)), file);
  }
  await server.rest.changePolicy(server.project, (document) => document.allowedStepTypes.push('FILE_WRITE'));
});

test('a mistake in the text is named by its line, and nothing is put in force', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  const policy = new Policy(page);
  const number = await numberOf(server);
  await policy.edit(server);
  await page.getByRole('radio', { name: t('policy.as_text') }).check();
  const field = page.getByRole('textbox', { name: t('policy.text_label') });
  const good = await field.inputValue();
  await field.fill(`${good}\nallowed_nonsense = true\n`);
  await page.getByRole('alert').getByText(/^Line \d+, column \d+$/).waitFor();
  await page.getByRole('button', { name: t('policy.review'), exact: true }).click();
  assert.equal(await policy.review.count(), 0);
  assert.equal(await numberOf(server), number);
  await page.getByRole('button', { name: t('policy.discard') }).click();
  assert.equal(await field.inputValue(), good);
});

test('two people who change it at once: the second is told', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  const policy = new Policy(page);
  const number = await numberOf(server);
  await policy.edit(server);
  const box = page.getByRole('checkbox', { name: t('step.TRANSFORM') });
  await box.uncheck();
  await page.getByRole('button', { name: t('policy.review'), exact: true }).click();
  await policy.review.getByRole('textbox', { name: t('policy.why') }).fill('late');
  await server.rest.changePolicy(server.project, (document) => (document.allowedPaths = ['.', 'notes']));
  await policy.review.getByRole('button', { name: t('policy.save', { number: number + 1 }) }).click();
  await policy.review.getByRole('alert').or(policy.review.getByRole('status')).first().waitFor();
  assert.equal(await numberOf(server), number + 1, 'the second change is not in force');
});

test('fine rules are told wrong by line and column, and forbid what the lists allow', async (test) => {
  const server = await demo();
  const { page } = await visit(test, server);
  const policy = new Policy(page);
  const number = await numberOf(server);
  await policy.edit(server);
  const field = page.getByRole('textbox', { name: t('policy.rules_label') });
  await field.fill('@id("a")\nforbid (principal, action, resource) when { context.taintd };\nforbid (principal, action, resource);\n');
  const place = page.getByRole('button', { name: t('policy.place', { line: 2, column: 45 }) });
  await place.waitFor();
  await page.getByRole('button', { name: t('policy.place', { line: 3, column: 1 }) }).waitFor();
  await place.click();
  const selected = await field.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
  assert.match(selected, /^context\.taintd|^taintd/);
  await page.getByRole('button', { name: t('policy.review'), exact: true }).click();
  assert.equal(await policy.review.count(), 0);
  assert.equal(await numberOf(server), number);

  await field.fill('');
  await page.getByRole('button', { name: t('rule_profile.read_only') }).click();
  assert.match(await field.inputValue(), /@id\("read-only-files"\)/);
  assert.ok(await page.getByRole('button', { name: t('rule_profile.read_only') }).isDisabled());
  await policy.save(number);
  await page.getByText('@id("read-only-files")').first().waitFor();

  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say("Write 'no' to no.md");
  await chat.log.getByText(/In this project files are read and never changed/).first().waitFor();
  assert.equal(await chat.button('chat.yes').count(), 0);
  await assert.rejects(access(join(server.ready.workspace, 'no.md')));
  await server.rest.changePolicy(server.project, (document) => delete document.fineRules);
});

for (const language of LANGUAGES) {
  test(`what a change would have decided otherwise stands in its review, before it is saved (${language})`, async (test) => {
    const server = await demo();
    const { rest, project } = server;
    const say = texts(language);
    const { session, blueprint } = await rest.question(project, `Write 'x' to notes/impact-${language}.md`);
    await rest.say(session, 'yes');
    const { number, policy: proposed } = await rest.get(`/projects/${project}/policy`);
    proposed.allowedStepTypes = proposed.allowedStepTypes.filter((type) => type !== 'FILE_WRITE');
    const due = await rest.post(`/projects/${project}/policy/impact`, { policy: proposed, days: 30 });
    const refused = due.counts.find(({ kind, code }) => kind === 'refused' && code === 'STEP_TYPE_NOT_ALLOWED');
    assert.ok(refused?.count > 0, JSON.stringify(due));

    const { page } = await visit(test, server, { language });
    const policy = new Policy(page, say);
    await policy.edit(server);
    const steps = page.getByRole('group', { name: say('policy.steps'), exact: true });
    await steps.getByRole('checkbox', { name: say('step.FILE_WRITE') }).uncheck();
    await page.getByRole('button', { name: say('policy.review'), exact: true }).click();
    const title = page.getByRole('heading', { name: say('impact.title', { days: 30 }), exact: true });
    const impact = policy.review.locator('section').filter({ has: title });
    await impact.getByText(say('impact.changed', due), { exact: true }).waitFor();
    const line = impact.getByRole('listitem').filter({ has: page.locator('code', { hasText: refused.code }) }).first();
    const words = `${say('impact_kind.refused')}: ${say('deny_code.STEP_TYPE_NOT_ALLOWED')}`;
    await line.filter({ hasText: words }).getByText(`${refused.count}`, { exact: true }).waitFor();

    await impact.getByText(say('impact.examples', { count: due.examples.length }), { exact: true }).click();
    const example = impact.locator(`a[href="/p/${project}/why/${blueprint}"]`).first();
    await example.waitFor();
    assert.equal(await example.innerText(), say('task.FILE_WRITE'));
    assert.deepEqual(await faults(page), []);
    await policy.review.getByRole('button', { name: say('ui.back'), exact: true }).click();
    assert.equal(await numberOf(server), number, 'looking changes nothing');
  });
}
