// An answer that was given in spite of what its check found bears a mark that says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { visit } from './lib/browser.mjs';
import { Model, reply } from './lib/model.mjs';
import { Chat } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { LANGUAGES } from './lib/texts.mjs';

const PLANS = { en: 'There are three plans that you can choose from.', ko: '요금제는 알뜰, 기본, 최고 세 가지입니다.' };
const ASKED = { en: 'Which plans are there?', ko: '요금제가 뭐가 있어?' };
/** As `config/messages/` has it. */
const FOUND = { en: 'It is in another language.', ko: '다른 언어로 되어 있습니다.' };
let says = '';

const checked = shared(async () => {
  const model = await new Model(() => ({ text: reply(says) })).start();
  const server = await startDemo({ WIIIV__LLM__APPROVED_ORIGINS: model.origin });
  await server.rest.changePolicy(server.project, (policy) => {
    model.name(policy);
    policy.answers = { check: 'rules' };
  });
  return server;
});

for (const language of LANGUAGES) {
  test(`a finding stands with the answer that was given all the same, and with no other (${language})`, async (test) => {
    const server = await checked();
    const { page } = await visit(test, server, { language });
    const chat = new Chat(page, language);
    await chat.open(server, server.project);
    const mark = chat.log.getByRole('note', { name: chat.t('chat.found') });

    says = PLANS[language];
    await chat.say(ASKED[language]);
    await chat.log.getByText(says, { exact: true }).first().waitFor();
    await chat.rests();
    assert.equal(await mark.count(), 0, 'nothing was found');

    const other = LANGUAGES.find((one) => one !== language);
    says = PLANS[other];
    await chat.say(ASKED[language]);
    await chat.log.getByText(says, { exact: true }).first().waitFor();
    await mark.getByText(FOUND[language], { exact: true }).waitFor();
    assert.equal(await mark.count(), 1);
    assert.deepEqual(await faults(page), []);
    // It stays with the answer when the conversation is read again.
    await page.reload();
    await mark.getByText(FOUND[language], { exact: true }).waitFor();
  });
}
