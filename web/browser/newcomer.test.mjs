// The first minute: from an open page to something that was approved and done.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { startDemo } from './lib/server.mjs';
import { LANGUAGES } from './lib/texts.mjs';

const PRESSES_MAX = 6;
const SECONDS_MAX = 60;

for (const language of LANGUAGES) {
  test(`a newcomer gets something approved and done (${language})`, async (t) => {
    const server = await startDemo();
    t.after(() => server.remove());
    const { page, watch } = await visit(t, server, { language, signedIn: false });
    const chat = new Chat(page, language);
    const start = Date.now();
    await page.goto(server.ready.link);
    // No account and no key: the examples are there, and one of them is pressed.
    await page.getByRole('button', { name: chat.t('start_about.save') }).click();
    await chat.approve();
    await chat.runIs('succeeded');
    const seconds = (Date.now() - start) / 1000;
    t.diagnostic(`presses: ${watch.presses} of ${PRESSES_MAX}; seconds: ${seconds.toFixed(1)} of ${SECONDS_MAX}`);
    assert.equal(watch.presses, 2, 'an example and a yes');
    assert.ok(watch.presses <= PRESSES_MAX && seconds <= SECONDS_MAX);
    const [run] = await server.rest.executions(server.project);
    assert.equal(run.state, 'succeeded');
  });
}
