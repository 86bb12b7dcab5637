// Beside a conversation: what its models know of it besides its words. And the form that chooses their guardrails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { enter, visit } from './lib/browser.mjs';
import { Chat, fitsSideways, opensAndReturns } from './lib/pages.mjs';
import { makePerson, shared, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const served = shared(startServed);
const SAID = { en: 'hello', ko: '안녕하세요' };
/** What slots are called in `config/profiles/medical.toml`. */
const LABELS = { en: { age: 'Age', allergies: 'Allergies' }, ko: { age: '나이', allergies: '알레르기' } };

/** Somebody with memories, and with a profile of which one change waits. */
async function furnished(server, language) {
  const who = await makePerson(server, `panel-${language}`);
  const { rest, project } = who;
  await rest.changePolicy(project, (policy) => {
    policy.profileSchema = 'medical';
  });
  const first = { 'If-Match': '"0"' };
  await rest.call('PUT', `/users/${who.user}/memory`, { text: '- short answers' }, first);
  await rest.call('PUT', `/projects/${project}/memory`, { text: '- prices in KRW' }, first);
  const changes = [
    { slot: 'age', op: 'set', value: '35' },
    { slot: 'allergies', op: 'set', value: 'penicillin' },
  ];
  await rest.call('PUT', `/projects/${project}/profile`, { changes }, first);
  await rest.call('POST', `/projects/${project}/profile/pending/1/accept`, undefined, { 'If-Match': '"1"' });
  await rest.call('PUT', `/projects/${project}/profile`, { changes: [{ slot: 'allergies', op: 'set', value: 'nuts' }] }, { 'If-Match': '"2"' });
  return who;
}

for (const language of LANGUAGES) {
  test(`the panel shows language, task, memories and the profile, safety first (${language})`, async (test) => {
    const server = await served();
    const who = await furnished(server, language);
    const { page } = await visit(test, server, { language });
    await enter(page, server, who);
    const chat = new Chat(page, language);
    const { t } = chat;
    await chat.open(server, who.project);
    assert.equal(await chat.button('chat.panel').count(), 0, 'there is no conversation yet');
    await chat.say(SAID[language]);
    await chat.rests();

    const panel = chat.dialog('chat.panel');
    await opensAndReturns(page, chat.button('chat.panel'), panel, async () => {
      for (const text of [t(`panel_language.${language}`), t('panel.no_task'), SAID[language], '- short answers', '- prices in KRW', '35', 'penicillin']) {
        await panel.getByText(text, { exact: true }).first().waitFor();
      }
      await panel.getByText(t('panel.waits', { count: 1 }), { exact: true }).waitFor();
      assert.equal(await panel.getByText('nuts').count(), 0, 'what waits is not known yet');
      const labels = await panel.getByRole('term').allTextContents();
      const at = (name) => labels.findIndex((label) => label.startsWith(LABELS[language][name]));
      assert.ok(at('allergies') >= 0 && at('allergies') < at('age'), labels.join(' | '));
      assert.deepEqual(await faults(page), []);
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await chat.button('chat.panel').click();
    await panel.getByText('- prices in KRW', { exact: true }).waitFor();
    await fitsSideways(page);
    for (const part of ['own', 'project']) {
      await panel.getByRole('link', { name: t('panel.memory', { what: t(`memory_view.${part}`) }), exact: true }).waitFor();
    }
    await panel.getByRole('link', { name: t('panel.memory', { what: t('memory_view.project') }), exact: true }).click();
    await page.getByRole('tab', { name: t('memory_view.project'), selected: true }).waitFor();
    await page.getByRole('main').getByText('prices in KRW').first().waitFor();
  });
}

test('a guardrail and a check are chosen in the form, and a schema brings its own', async (test) => {
  const server = await served();
  const who = await makePerson(server, 'guards');
  const { page } = await visit(test, server);
  await enter(page, server, who);
  const t = texts('en');
  await page.goto(`${server.url}/p/${who.project}/policy`);
  await page.getByRole('tab', { name: t('policy_view.edit') }).click();
  const health = page.getByRole('checkbox', { name: t('guardrail.medical') });
  assert.equal(await health.isChecked(), false);
  await page.getByLabel(t('policy.profile_schema')).selectOption('medical');
  assert.ok((await health.isChecked()) && (await health.isDisabled()), 'the schema brings it');
  await page.getByRole('checkbox', { name: t('guardrail.legal') }).check();
  const refine = page.getByRole('checkbox', { name: t('policy.refine') });
  assert.ok(await refine.isDisabled(), 'nobody looks yet');
  await page.getByLabel(t('policy.answer_check'), { exact: true }).selectOption('rules');
  await refine.check();
  assert.deepEqual(await faults(page), []);
  await page.getByRole('button', { name: t('policy.review'), exact: true }).click();
  const review = page.getByRole('dialog', { name: t('policy.review') });
  await review.getByRole('textbox', { name: t('policy.why') }).fill('a clinic');
  await review.getByRole('button', { name: t('policy.save', { number: 2 }) }).click();
  await review.waitFor({ state: 'detached' });
  const { policy } = await who.rest.get(`/projects/${who.project}/policy`);
  assert.deepEqual([policy.profileSchema, policy.guardrails], ['medical', ['legal']]);
  assert.deepEqual(policy.answers, { check: 'rules', refine: true });
});
