// What models are asked for: each named in the policy, and tried by one call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { reply } from './lib/model.mjs';
import { quiet } from './lib/pages.mjs';
import { Provider, VECTOR } from './lib/provider.mjs';
import { startDemo } from './lib/server.mjs';
import { pattern, texts } from './lib/texts.mjs';

const KEY = 'sk-browser-slots-0123456789wxyz';

async function opened(test, language) {
  const provider = await new Provider({ key: KEY, models: ['m'], answer: () => ({ text: reply('yes') }) }).start();
  test.after(() => provider.stop());
  const server = await startDemo({ WIIIV__LLM__APPROVED_ORIGINS: provider.origin });
  test.after(() => server.remove());
  await server.rest.changePolicy(server.project, (policy) => provider.name(policy));
  await server.rest.call('PUT', '/keys/custom', { secret: KEY, origin: provider.origin });
  const { page } = await visit(test, server, { language });
  return { server, provider, page, t: texts(language) };
}

for (const language of ['en', 'ko']) {
  test(`slots are named in the form, and each is tried (${language})`, async (test) => {
    const { server, provider, page, t } = await opened(test, language);
    await page.goto(`${server.url}/p/${server.project}/policy?view=edit&at=llmProvider`);
    await page.getByLabel(t('policy_slot.generatorModel'), { exact: true }).fill('drafts-model');
    await page.getByLabel(t('policy_slot.embeddingModel'), { exact: true }).fill('anthropic:claude-sonnet-4-6');
    const verified = page.getByRole('group', { name: t('policy.verified_for'), exact: true });
    await verified.getByRole('checkbox', { name: t('task.FILE_DELETE'), exact: true }).check();
    const review = page.getByRole('button', { name: t('policy.review'), exact: true });
    await review.click();
    await page.getByText(/has no embeddings|임베딩이 없습니다/).first().waitFor();
    await page.getByLabel(t('policy_slot.embeddingModel'), { exact: true }).fill('vectors-model');
    await review.click();
    const dialog = page.getByRole('dialog', { name: t('policy.review') });
    await dialog.getByRole('textbox', { name: t('policy.why') }).fill('a test of the browser');
    await dialog.getByRole('button', { name: pattern(language, 'policy.save') }).click();
    await dialog.waitFor({ state: 'detached' });
    const { policy } = await server.rest.get(`/projects/${server.project}/policy`);
    assert.deepEqual([policy.generatorModel, policy.embeddingModel], ['drafts-model', 'vectors-model']);
    assert.deepEqual(policy.requireVerifiedModel, ['FILE_DELETE']);

    await page.goto(`${server.url}/p/${server.project}/models`);
    const slots = page.getByRole('region', { name: t('models.slots'), exact: true });
    await slots.getByText('vectors-model').waitFor();
    await quiet(page);
    for (const slot of ['governor', 'generator', 'embedding']) {
      await slots.getByRole('button', { name: t('models.try', { slot: t(`models_slot.${slot}`) }), exact: true }).click();
      const status = slots.getByRole('status');
      await status.getByText(t('models.answered'), { exact: true }).waitFor();
      await status.getByText(t(`models_slot.${slot}`)).waitFor();
    }
    await slots.getByText(t('models.dimensions', { count: VECTOR.length })).waitFor();
    const asked = provider.heard.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/').at(-1));
    assert.deepEqual(asked, ['completions', 'completions', 'embeddings']);
    await slots.getByRole('link', { name: t('models.trial_record') }).click();
    await page.waitForURL(/\/audit\?kind=model.tried/);
  });
}
