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

for (const language of ['en', 'ko']) {
  test(`rates stand in tables, what differs opens, and divergences are filtered in ${language}`, async (test) => {
    const server = await demo();
    const t = texts(language);
    const { rest, project } = server;
    await rest.say(await rest.session(project), `write 'todo' to rates-${language}/shadow`);
    await rest.say(await rest.session(project), `write 'x' to rates-${language}.txt`);
    const { page } = await visit(test, server, { language });
    const exact = (of, role, name) => of.getByRole(role, { name, exact: true });
    const open = () => page.goto(`${server.url}/p/${project}/rollout`);
    await open();
    const byType = exact(page, 'table', t('rates.by_task_type'));
    await exact(byType, 'rowheader', t('task.FILE_WRITE')).waitFor();
    await exact(byType, 'columnheader', t('rates.share')).waitFor();
    await exact(exact(page, 'table', t('usage.by_model')), 'rowheader', 'OFFLINE:offline').waitFor();
    await exact(page, 'table', t('usage.by_day')).waitFor();

    // Let through, and not run yet: the review and what happened differ.
    const matrix = exact(page, 'table', t('rates.matrix'));
    await exact(matrix, 'columnheader', t('became.not_run')).waitFor();
    const row = matrix.getByRole('row').filter({ has: exact(page, 'rowheader', t('reviewed_as.let_through')) });
    await row.locator('summary').last().click();
    await row.getByRole('link').first().click();
    await page.waitForURL(/\/why\//);

    await open();
    const none = page.getByText(t('rollout.none_found'), { exact: true });
    const filter = (name) => exact(page, 'combobox', name);
    await filter(t('overrides.task_type')).selectOption('FILE_READ');
    await none.waitFor();
    await filter(t('overrides.task_type')).selectOption('FILE_WRITE');
    await page.getByRole('article').first().waitFor();
    await filter(t('audit.person')).selectOption({ index: 1 });
    await page.waitForURL(/requester=/);
    await page.getByRole('article').first().waitFor();
    await page.getByLabel(t('usage.model'), { exact: true }).fill('another');
    await exact(page, 'button', t('audit.search')).click();
    await none.waitFor();

    // More days than are counted at once are refused, and the list goes on.
    await page.goto(`${server.url}/p/${project}/rollout?from=2020-01-01`);
    await page.getByRole('region', { name: t('rates.title'), exact: true }).getByRole('alert').waitFor();
    await page.getByRole('article').first().waitFor();
  });
}

/** In a page: words of a place that stand on more than one line. */
function brokenWords(place) {
  const broken = [];
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { 0: word, index } of node.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
}

test('no word of the stage is broken, however narrow its column is', async (test) => {
  const server = await demo();
  const t = texts('en');
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/rollout`);
  const stage = page.getByRole('region', { name: t('rollout.stage'), exact: true });
  await stage.getByText(t('rollout.no_model'), { exact: true }).waitFor();
  for (const width of [1280, 1000, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await stage.evaluate(brokenWords), [], `at ${width} px`);
  }
});

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
