// Talking: in both languages, once each, found again, taken along.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Gate } from './lib/model.mjs';
import { Chat } from './lib/pages.mjs';
import { eventually } from './lib/rest.mjs';
import { shared, startDemo } from './lib/server.mjs';

const demo = shared(startDemo);

const TALKS = [
  { language: 'ko', text: "노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘", file: 'notes/오늘.md', content: '회의 3시' },
  { language: 'en', text: "Write 'meeting at 3' to notes/today.md", file: 'notes/today.md', content: 'meeting at 3' },
];

for (const { language, text, file, content } of TALKS) {
  test(`a request is shown as a plan, approved and done (${language})`, async (t) => {
    const server = await demo();
    const { page } = await visit(t, server, { language });
    const chat = new Chat(page, language);
    await chat.open(server, server.project);
    await chat.say(text);
    await chat.holdsOnce(text);
    await chat.button('chat.yes').waitFor();
    const diff = chat.log.getByText(content, { exact: true });
    assert.equal(await diff.count(), 1, 'the exact content stands in the preview');
    const path = join(server.ready.workspace, file);
    await assert.rejects(readFile(path), 'nothing is written before the yes');
    await chat.approve();
    await chat.runIs('succeeded');
    assert.equal(await readFile(path, 'utf8'), content);
    await page.reload();
    await chat.holdsOnce(text);
    await chat.runIs('succeeded');
  });
}

test('a plan is changed by saying so, and a no ends it without effect', async (t) => {
  const server = await demo();
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say("Write 'draft' to plans/one.md");
  await chat.button('chat.change').click();
  await chat.say('write it to plans/two.md instead');
  await chat.log.getByText(chat.t('approval.withdrawn'), { exact: true }).first().waitFor();
  await chat.button('chat.no').click();
  await chat.log.getByText(chat.t('approval_by.rejected', { name: 'guest' }), { exact: true }).first().waitFor();
  for (const name of ['one', 'two']) {
    await assert.rejects(readFile(join(server.ready.workspace, `plans/${name}.md`)));
  }
});

/** The stream of a conversation breaks off behind its first event, and goes on once `gate` is opened. */
async function breakOff(page, [first], gate) {
  const piece = `id: ${first.turn}:${first.seq}\nevent: ${first.event}\ndata: ${JSON.stringify(first)}\n\n`;
  let isBegun = false;
  await page.route(/\/sessions\/[^/]+\/events\?/, async (route) => {
    if (isBegun) await gate.wait().then(() => route.fallback());
    else await route.fulfill({ contentType: 'text/event-stream', body: piece });
    isBegun = true;
  });
}

for (const { language, text } of TALKS) {
  test(`an old conversation that comes slowly is being loaded, and nothing in it runs (${language})`, async (t) => {
    const server = await demo();
    const session = await server.rest.session(server.project);
    const events = (await server.rest.say(session, text)).filter(({ seq }) => seq !== undefined);
    const { page } = await visit(t, server, { language });
    const gate = new Gate();
    t.after(() => gate.open());
    await breakOff(page, events, gate);
    const chat = new Chat(page, language);
    await chat.open(server, server.project, session);
    await gate.reached;
    await chat.log.getByText(chat.t('ui.loading'), { exact: true }).last().waitFor();
    assert.equal(await chat.log.getByText(chat.t('chat.thinking'), { exact: true }).count(), 0, 'it thinks of nothing');
    assert.equal(await chat.button('chat.stop').count(), 0, 'there is nothing to stop');
    gate.open();
    await chat.holdsOnce(text);
    await chat.rests();
    // The plan's own details may still be on their way.
    await chat.log.getByText(chat.t('ui.loading'), { exact: true }).first().waitFor({ state: 'detached' });
  });
}

test('what was done is asked about by buttons under the last turn', async (t) => {
  const server = await demo();
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  const button = (key) => chat.log.getByRole('button', { name: chat.t(key), exact: true });
  const pressed = (key) => chat.log.getByText(chat.t(key)).waitFor();
  const runs = page.getByRole('region', { name: chat.t('run.title') });
  await chat.open(server, server.project);
  await chat.say("Write 'milk' to asked/list.md");
  await chat.button('chat.yes').waitFor();
  await button('recall.why').waitFor();
  await chat.approve();
  await chat.runIs('succeeded');
  await button('recall.show_saved').waitFor();
  assert.equal(await button('recall.again').count(), 0, 'it was done');
  await button('recall.show_saved').click();
  await pressed('pressed.show_saved');
  await runs.nth(1).waitFor();
  await button('recall.list_files').click();
  await pressed('pressed.list_files');
  await runs.nth(2).waitFor();
  await button('recall.why').click();
  await pressed('pressed.why');
  const told = chat.log.getByText(/all allowed it/);
  await told.waitFor();
  assert.equal(await chat.log.getByRole('figure').filter({ has: told }).count(), 0, 'these are no words of a model');
  await button('recall.list_files').waitFor();
  assert.equal(await button('recall.list_files').count(), 1, 'under the last turn alone');
});

test('what failed is tried again as it was, and its words are not said again', async (t) => {
  const server = await demo();
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('read later.txt');
  const again = chat.button('recall.again');
  await again.waitFor();
  assert.equal(await chat.button('chat.retry').count(), 0, 'never both');
  await writeFile(join(server.ready.workspace, 'later.txt'), 'it is here now');
  await again.click();
  await chat.log.getByText(chat.t('pressed.again')).waitFor();
  await chat.log.getByText('it is here now').first().waitFor();
  assert.equal(await again.count(), 0);
});

test('the menu of a conversation opens where it can be read and pressed', async (t) => {
  const server = await demo();
  const title = 'a conversation with a menu';
  const session = await server.rest.session(server.project);
  await server.rest.say(session, title);
  const { page } = await visit(t, server, { width: 1440, height: 900 });
  const chat = new Chat(page);
  await chat.open(server, server.project, session);
  const opener = page.getByRole('button', { name: chat.t('chat.manage', { title }) });
  for (const key of ['chat.pin', 'chat.delete', 'chat.rename']) {
    await opener.click();
    // A press that would hit something else is none.
    await page.getByRole('button', { name: chat.t(key), exact: true }).click({ trial: true });
    await page.keyboard.press('Escape');
  }
});

test('a place that policy does not name is denied with its reason', async (t) => {
  const server = await demo();
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('GET http://example.com/items and save it to x.json');
  const strip = chat.log.getByRole('group', { name: chat.t('decision.strip') });
  await strip.getByRole('button').last().click();
  const why = chat.dialog('decision.title');
  await why.getByText(/HOST_NOT_/).first().waitFor();
  assert.equal(await chat.button('chat.yes').count(), 0);
});

/** Types as an input method does: the syllables are still being composed when Enter comes. */
async function compose(page, text) {
  const input = await page.context().newCDPSession(page);
  for (let at = 1; at <= text.length; at++) {
    const part = text.slice(0, at);
    await input.send('Input.imeSetComposition', { text: part, selectionStart: at, selectionEnd: at });
  }
  const enter = { key: 'Enter', code: 'Enter' };
  return {
    async enterWhileComposing() {
      await input.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter, windowsVirtualKeyCode: 229 });
      await input.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter, windowsVirtualKeyCode: 13 });
    },
    commit: () => input.send('Input.insertText', { text }),
  };
}

const GREETING = '안녕하세요';
const messagesSent = (watch) =>
  watch.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages')).length;

test('Enter while a syllable is composed sends nothing; the next one sends it once', async (t) => {
  const server = await demo();
  const { page, watch } = await visit(t, server, { language: 'ko' });
  const chat = new Chat(page, 'ko');
  await chat.open(server, server.project);
  await page.evaluate(() => {
    window.composed = [];
    const note = (event) => window.composed.push([event.isComposing, event.keyCode]);
    document.addEventListener('keydown', note, true);
  });
  await chat.field.focus();
  const method = await compose(page, GREETING);
  await method.enterWhileComposing();
  const keys = await page.evaluate(() => window.composed);
  assert.deepEqual(keys, [[true, 229]], 'the browser took it for a key of the input method');
  await method.commit();
  assert.equal(await chat.field.inputValue(), GREETING);
  assert.equal(messagesSent(watch), 0, 'nothing was sent while composing');
  await page.keyboard.press('Enter');
  const session = await chat.session();
  await chat.holdsOnce(GREETING);
  assert.equal(await chat.field.inputValue(), '', 'no syllable stays behind');
  const said = await eventually(async () => {
    const events = (await server.rest.get(`/sessions/${session}/history`)).items;
    return events.some(({ event }) => event === 'ended') && events.filter(({ event }) => event === 'accepted');
  });
  assert.deepEqual(said.map(({ text }) => text), [GREETING]);
  assert.equal(messagesSent(watch), 1);
});

test('Enter held down or pressed twice sends once; Shift and Enter make a line', async (t) => {
  const server = await demo();
  const { page, watch } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.field.fill('hello');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('there');
  assert.equal(await chat.field.inputValue(), 'hello\nthere');
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.press('Enter');
  await chat.session();
  await chat.log.getByText('hello').first().waitFor();
  assert.equal(messagesSent(watch), 1);
});

test('a conversation is found by its words and taken along as a file', async (t) => {
  const server = await demo();
  const words = '보라색 코끼리 이야기';
  const session = await server.rest.session(server.project);
  await server.rest.say(session, words);
  const other = await server.rest.session(server.project);
  await server.rest.say(other, 'a green giraffe');
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  const list = page.getByRole('navigation', { name: chat.t('chat.sessions') });
  await list.getByRole('link', { name: 'a green giraffe' }).waitFor();
  const search = page.getByRole('searchbox', { name: chat.t('chat.search') });
  await search.fill('코끼리');
  await list.getByRole('link', { name: 'a green giraffe' }).waitFor({ state: 'detached' });
  await list.getByRole('link', { name: words }).click();
  assert.equal(await chat.session(), session);
  await chat.holdsOnce(words);
  await search.fill('no such words at all');
  await page.getByText(chat.t('chat.no_match')).waitFor();

  const [download] = await Promise.all([page.waitForEvent('download'), chat.button('chat_export.md').click()]);
  assert.match(download.suggestedFilename(), /^wiiiv-.+\.md$/);
  const file = await readFile(await download.path(), 'utf8');
  assert.ok(file.includes(words) && file.includes(session), file);
});
