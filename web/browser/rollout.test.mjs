// What enforcement would decide otherwise is looked at by a person, and no edit of the policy enforces it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const demo = shared(startDemo);

for (const language of ['en', 'ko']) {
  test(`a divergence is filtered and reviewed in ${language}`, async (test) => {
    const server = await demo();
    const t = texts(language);
    const { rest, project } = server;
    const file = `conf-${language}/shadow`;
    await rest.say(await rest.session(project), `write 'todo' to ${file}`);
    const { page } = await visit(test, server, { language });
    await page.goto(`${server.url}/p/${project}/rollout`);
    const card = page.getByRole('article').filter({ hasText: t('finding.unreviewed') }).first();
    await card.getByRole('button', { name: t('rollout.review'), exact: true }).click();
    await card.getByRole('radio', { name: t('verdict_text.wrong') }).check();
    await card.getByRole('textbox', { name: t('rollout.note') }).fill('<b>a note</b>');
    await card.getByRole('button', { name: t('rollout.save'), exact: true }).click();
    await page.getByText('<b>a note</b>', { exact: true }).first().waitFor();

    await page.getByRole('combobox', { name: t('rollout.finding'), exact: true }).selectOption('wrong');
    await page.waitForURL(/review=wrong/);
    await page.getByRole('article').first().waitFor();
    await page.getByRole('combobox', { name: t('rollout.finding'), exact: true }).selectOption('unreviewed');
    await page.getByText(t('rollout.none_found'), { exact: true }).waitFor();

    // Nothing to promote yet, and why.
    await page.getByText(t('against.NO_GHOST_RUN'), { exact: true }).waitFor();
    assert.ok(await page.getByRole('button', { name: t('rollout.promote'), exact: true }).isDisabled());
  });
}

test('a waiver waits for its second approver, and the policy form does not offer the stage', async (test) => {
  const server = await demo();
  const t = texts('en');
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/rollout`);
  const waiver = page.getByRole('region', { name: t('rollout.waiver'), exact: true });
  await waiver.getByRole('textbox', { name: t('rollout.reason') }).fill('the fair opens tomorrow');
  await waiver.getByRole('button', { name: t('rollout.waiver_ask'), exact: true }).click();
  await waiver.getByText(t('rollout.waiver_waits'), { exact: true }).waitFor();
  await waiver.getByText('the fair opens tomorrow', { exact: true }).waitFor();
  assert.equal(await waiver.getByRole('button', { name: t('rollout.waiver_join') }).count(), 0, 'not by oneself');

  await page.goto(`${server.url}/p/${server.project}/policy?view=edit`);
  const form = page.getByRole('main');
  await form.getByText(t('policy.dacs_elsewhere')).waitFor();
  await form.getByRole('link', { name: t('nav.rollout'), exact: true }).click();
  await page.getByRole('heading', { name: t('nav.rollout'), level: 1 }).waitFor();
});
