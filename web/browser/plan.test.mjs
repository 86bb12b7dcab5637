// Beside a turn: what the model saw, and what each part of it cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { LANGUAGES } from './lib/texts.mjs';

const demo = shared(startDemo);
const SAID = { en: 'hello', ko: '안녕하세요' };

for (const language of LANGUAGES) {
  test(`a turn shows what its model saw, part by part (${language})`, async (test) => {
    const server = await demo();
    const { page } = await visit(test, server, { language });
    const chat = new Chat(page, language);
    await chat.open(server, server.project);
    await chat.say(SAID[language]);
    await chat.rests();
    await chat.button('chat.seen').last().click();
    const seen = chat.dialog('plan.title');
    for (const part of ['system', 'task', 'query']) {
      await seen.getByRole('rowheader', { name: chat.t(`plan_part.${part}`), exact: true }).first().waitFor();
    }
    // The bar is for the eye, the table says the same.
    assert.equal(await seen.getByRole('columnheader', { name: chat.t('plan.tokens'), exact: true }).count(), 1);
    assert.deepEqual(await faults(page), []);
    await page.setViewportSize({ width: 400, height: 800 });
    const tables = await seen.getByRole('region').evaluateAll((all) => all.map((one) => [one.scrollWidth, one.clientWidth]));
    assert.ok(tables.length > 0 && tables.every(([wide, place]) => wide <= place), `${tables.join(' | ')} px on a telephone`);
    await page.keyboard.press('Escape');
    await seen.waitFor({ state: 'detached' });
    assert.ok(await chat.button('chat.seen').last().evaluate((one) => one === document.activeElement), 'the focus is back');
  });
}
