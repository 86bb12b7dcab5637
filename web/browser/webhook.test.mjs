// A webhook is set, and removed only where somebody says so twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { eventually } from './lib/rest.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const demo = shared(async () => {
  const server = await startDemo();
  await server.rest.changePolicy(server.project, (policy) => {
    policy.allowedHosts.push({ host: 'hooks.example.com', scheme: 'https' });
  });
  return server;
});

for (const language of LANGUAGES) {
  test(`removing a webhook asks first, in ${language}`, async (test) => {
    const server = await demo();
    const t = texts(language);
    const { page } = await visit(test, server, { language });
    await page.goto(`${server.url}/p/${server.project}/members`);
    const card = page.getByRole('region', { name: t('webhook.title') });
    await card.getByRole('textbox', { name: t('webhook.url') }).fill('https://hooks.example.com/wiiiv');
    await card.getByRole('button', { name: t('webhook.set'), exact: true }).click();
    await card.getByText(t('webhook.secret')).waitFor();

    const dialog = page.getByRole('dialog', { name: t('webhook.remove_ask') });
    await card.getByRole('button', { name: t('webhook.remove'), exact: true }).click();
    await dialog.getByText(t('webhook.remove_text')).waitFor();
    await dialog.getByRole('button', { name: t('ui.back'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const kept = await server.rest.get(`/projects/${server.project}/webhook`);
    assert.equal(kept.url, 'https://hooks.example.com/wiiiv');

    await card.getByRole('button', { name: t('webhook.remove'), exact: true }).click();
    await dialog.getByRole('button', { name: t('webhook.remove'), exact: true }).click();
    await card.getByText(t('webhook.none')).waitFor();
    await eventually(async () => (await server.rest.get(`/projects/${server.project}/webhook`)).url === null, 'no webhook');
  });
}
