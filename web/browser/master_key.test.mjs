// The master key is exchanged from the screen of models: refused without the next one, then certified.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { startServed } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

for (const language of ['en', 'ko']) {
  test(`the master key is rotated, with progress and certificate (${language})`, async (test) => {
    const t = texts(language);
    const server = await startServed();
    test.after(() => server.remove());
    const { page } = await visit(test, server, { language });
    await enter(page, server, server.admin);
    await page.goto(`${server.url}/p/${server.admin.project}/models`);
    const card = page.getByRole('region', { name: t('master.title'), exact: true });
    await card.getByText(t('master.version', { version: 1 })).waitFor();
    const rotate = card.getByRole('button', { name: t('master.rotate') });
    await rotate.click();
    await card.getByRole('alert').waitFor();
    await card.getByText(t('master.version', { version: 1 })).waitFor();

    writeFileSync(join(server.home, 'key.next'), randomBytes(32).toString('hex'), { mode: 0o600 });
    await rotate.click();
    await card.getByText(t('master.version', { version: 2 })).waitFor();
    await card.getByText(t('master.done', { from: 1, to: 2 })).waitFor();
    await card.getByText(t('master.certificate'), { exact: true }).click();
    const certificate = JSON.parse(await card.locator('pre').textContent());
    assert.deepEqual([certificate.from, certificate.to], [1, 2]);
    assert.equal(await card.getByRole('alert').count(), 0);
  });
}
