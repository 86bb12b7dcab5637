// What is kept in mind: written by those who may, counted as it is typed, and lost by nobody.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { enter, visit } from './lib/browser.mjs';
import { keysOnly, press, write } from './lib/keys.mjs';
import { Chat, fitsSideways, hasFocus, isUncovered, tabTo } from './lib/pages.mjs';
import { makeMember, makePerson, shared, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const served = shared(startServed);
const MAX = '2,000';
/** What is said, and the line that comes of it. */
const WISHES = {
  en: ['remember that I like tea', '- I like tea'],
  ko: ['나는 녹차를 좋아한다고 기억해 줘', '- 나는 녹차를 좋아한다'],
};
/** One syllable, written as three letters. */
const DECOMPOSED = '\u1112\u1161\u11ab';

/** The screen of a page. */
class Memory {
  constructor(page, language = 'en') {
    this.page = page;
    this.t = texts(language);
    this.field = page.getByRole('textbox', { name: this.t('memory.field'), exact: true });
    this.history = page.getByRole('region', { name: this.t('history.title'), exact: true });
    this.conflict = page.getByRole('main').getByRole('alert');
  }

  async open(server, project, view = '') {
    await this.page.goto(`${server.url}/p/${project}/memory${view && `?view=${view}`}`);
    await this.tab(view || 'own').waitFor();
  }

  tab(view) {
    return this.page.getByRole('tab', { name: this.t(`memory_view.${view}`), exact: true });
  }

  button(key) {
    return this.page.getByRole('button', { name: this.t(key), exact: true });
  }

  /** A frame by what stands above it. */
  frame(key, within = this.page) {
    return within.getByRole('figure').filter({ has: this.page.getByText(this.t(key), { exact: true }) });
  }

  async save(number) {
    await this.button('memory.save').click();
    await this.page.getByText(this.t('policy.version', { number }), { exact: true }).first().waitFor();
  }

  /** One goes on writing. */
  async hasField() {
    await this.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  }

  count(chars) {
    return this.page.getByText(this.t('memory.chars', { chars, max: MAX }), { exact: true });
  }

  async counts(chars) {
    await this.count(chars).waitFor();
  }
}

const ownOf = ({ user }) => `/users/${user}/memory`;
const projectOf = (server) => `/projects/${server.admin.project}/memory`;

/** By another client, whatever stands there. */
async function put({ rest }, path, text) {
  const { version } = await rest.get(path);
  await rest.call('PUT', path, { text }, { 'If-Match': `"${version}"` });
}

async function entered(test, server, person, language = 'en', open = visit) {
  const visited = await open(test, server, { language });
  await enter(visited.page, server, person);
  return new Memory(visited.page, language);
}

for (const language of LANGUAGES) {
  test(`one's own is written, told by its lines, kept and taken along (${language})`, async (test) => {
    const server = await served();
    const who = await makePerson(server, `own-${language}`);
    const memory = await entered(test, server, who, language);
    const { page, t } = memory;
    await memory.open(server, who.project);
    await memory.history.getByText(t('memory.none')).waitFor();
    assert.ok(await memory.button('memory.save').isDisabled(), 'there is nothing to save');
    await memory.field.fill('# 규칙\n\n- **존댓말**로 답하기\n- 표는 작게  \n');
    await memory.counts(28);
    const preview = memory.frame('memory.preview');
    await preview.getByText('규칙', { exact: true }).waitFor();
    await preview.locator('strong', { hasText: '존댓말' }).waitFor();
    assert.equal(await preview.getByRole('listitem').count(), 2);
    assert.equal(await memory.frame('memory.changes').getByRole('listitem').count(), 4);
    await page.getByText(t('memory.lines', { added: 4, removed: 0 }), { exact: true }).waitFor();
    await memory.save(1);
    const text = '# 규칙\n\n- **존댓말**로 답하기\n- 표는 작게';
    assert.equal((await who.rest.get(ownOf(who))).text, text);
    await memory.hasField();

    await memory.field.fill(text.replace('표는 작게', '답은 짧게'));
    const changes = memory.frame('memory.changes');
    await changes.getByText('- 표는 작게', { exact: true }).waitFor();
    await changes.getByText('- 답은 짧게', { exact: true }).waitFor();
    assert.deepEqual(await faults(page), []);
    await memory.save(2);

    await page.reload();
    const newest = memory.history.getByRole('listitem').filter({ has: page.locator('summary') }).first();
    await newest.getByText(who.name, { exact: true }).waitFor();
    await newest.getByText(t('memory.by_edit'), { exact: true }).waitFor();
    await newest.locator('summary').click();
    const told = newest.getByRole('figure');
    await told.getByText('- 표는 작게', { exact: true }).waitFor();
    await told.getByText('- 답은 짧게', { exact: true }).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), memory.button('memory.export').click()]);
    assert.match(await readFile(await file.path(), 'utf8'), /^# 규칙\n[^]*- 답은 짧게\n$/);
    assert.deepEqual(await faults(page), []);
  });

  test(`on a telephone the count and what saves it are both seen (${language})`, async (test) => {
    const server = await served();
    const who = await makePerson(server, `small-${language}`);
    const memory = await entered(test, server, who, language);
    await memory.open(server, who.project);
    await memory.field.fill('- short');
    for (const height of [640, 740, 844]) {
      await memory.page.setViewportSize({ width: 400, height });
      for (const one of [memory.count(7), memory.button('memory.save')]) {
        assert.ok(await isUncovered(one), `${one} at ${height} px`);
      }
    }
    await fitsSideways(memory.page);
  });

  test(`over the cap nothing is saved and nothing typed is lost (${language})`, async (test) => {
    const server = await served();
    const who = await makePerson(server, `over-${language}`);
    const memory = await entered(test, server, who, language);
    const { page, t } = memory;
    await memory.open(server, who.project);
    const long = '가'.repeat(2_013);
    await memory.field.fill(long);
    await memory.counts('2,013');
    await page.getByText(t('memory.over', { over: 13 }), { exact: true }).waitFor();
    assert.ok(await memory.button('memory.save').isDisabled());
    assert.deepEqual(await faults(page), []);
    // Another screen, and back.
    const nav = page.getByRole('navigation', { name: t('app.navigation') });
    await nav.getByRole('link', { name: t('nav.usage'), exact: true }).click();
    await memory.field.waitFor({ state: 'detached' });
    await nav.getByRole('link', { name: t('nav.memory'), exact: true }).click();
    await memory.counts('2,013');
    assert.equal(await memory.field.inputValue(), long);
    assert.equal((await who.rest.get(ownOf(who))).version, 0);

    // As many characters as fit, however they are written.
    await memory.field.fill(DECOMPOSED.repeat(2_000));
    await memory.counts(MAX);
    await memory.save(1);
    assert.equal((await who.rest.get(ownOf(who))).text, '한'.repeat(2_000));
  });

  test(`what another client saved meanwhile stands beside what was typed, and both are kept (${language})`, async (test) => {
    const server = await served();
    const who = await makePerson(server, `both-${language}`);
    await put(who, ownOf(who), '- one');
    const memory = await entered(test, server, who, language);
    const { page, t } = memory;
    await memory.open(server, who.project);
    await memory.field.fill('- one\n- typed here');
    await put(who, ownOf(who), '- one\n- saved elsewhere');
    await memory.button('memory.save').click();
    await memory.conflict.getByText(t('policy.meanwhile', { who: who.name, number: 2 })).waitFor();
    await memory.frame('memory.now', memory.conflict).getByText('saved elsewhere').waitFor();
    await memory.frame('memory.typed', memory.conflict).getByText('typed here').waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H2');
    assert.ok(await memory.button('memory.save').isDisabled(), 'first it is said how to go on');
    assert.equal(await memory.field.inputValue(), '- one\n- typed here');
    assert.deepEqual(await faults(page), []);
    await memory.button('memory.together').click();
    assert.equal(await memory.field.inputValue(), '- one\n- saved elsewhere\n- typed here');
    await page.getByText(t('memory.lines', { added: 1, removed: 0 }), { exact: true }).first().waitFor();
    await memory.save(3);
    assert.equal((await who.rest.get(ownOf(who))).text, '- one\n- saved elsewhere\n- typed here');
  });

  test(`what is asked for in the chat stands on the page (${language})`, async (test) => {
    const server = await served();
    const who = await makePerson(server, `asks-${language}`);
    const memory = await entered(test, server, who, language);
    const { page, t } = memory;
    const [said, line] = WISHES[language];
    const chat = new Chat(page, language);
    await chat.open(server, who.project);
    await chat.say(said);
    const link = chat.log.getByRole('link', { name: t('chat.memory'), exact: true });
    await link.waitFor();
    await chat.rests();
    await chat.log.getByText(line).first().waitFor();
    await link.click();
    await memory.field.waitFor();
    assert.equal(await memory.field.inputValue(), line);
    await memory.history.getByText(t('memory.by_turn'), { exact: true }).waitFor();
    await memory.tab('seen').click();
    const own = page.getByRole('figure').filter({ hasText: 'USER_MEMORY' });
    await own.getByText(line, { exact: true }).waitFor();
    const empty = `PROJECT_MEMORY · ${t('memory_view.project')}: ${t('memory.not_sent')}`;
    await page.getByText(empty, { exact: true }).waitFor();
    await page.getByText(t('memory.may_not'), { exact: true }).waitFor();
    assert.deepEqual(await faults(page), []);
  });
}

test('what somebody else saved is replaced only by saying so, and its lines are told first', async (test) => {
  const server = await served();
  const path = projectOf(server);
  const editor = await makeMember(server, 'editor-between', 'editor');
  await put(server.admin, path, '- prices in KRW');
  const memory = await entered(test, server, server.admin);
  await memory.open(server, server.admin.project, 'project');
  await memory.field.fill('- prices in EUR');
  await put(editor, path, '- prices in KRW\n- releases on Fridays');
  await memory.button('memory.save').click();
  await memory.conflict.getByText(editor.name).first().waitFor();
  await memory.frame('memory.they_changed', memory.conflict).getByText('- releases on Fridays', { exact: true }).waitFor();
  await memory.button('memory.go_on').click();
  assert.equal(await memory.field.inputValue(), '- prices in EUR');
  // What saving it would undo.
  await memory.frame('memory.changes').getByText('- releases on Fridays', { exact: true }).waitFor();
  const { text } = await editor.rest.get(path);
  assert.equal(text, '- prices in KRW\n- releases on Fridays', 'nothing is saved yet');
  await memory.button('policy.discard').click();
  assert.equal(await memory.field.inputValue(), text);
  await memory.page.getByText(memory.t('memory.others'), { exact: true }).waitFor();
});

for (const language of LANGUAGES) {
  test(`a viewer reads the project's memory and its history, and writes their own (${language})`, async (test) => {
    const server = await served();
    await put(server.admin, projectOf(server), `# House rules\n\n- answer in ${language}`);
    const viewer = await makeMember(server, `viewer-${language}`, 'viewer');
    const memory = await entered(test, server, viewer, language);
    const { page, t } = memory;
    await memory.open(server, server.admin.project, 'project');
    await memory.frame('memory.now').getByText(`answer in ${language}`).waitFor();
    await page.getByText(t('memory.read_only'), { exact: true }).waitFor();
    await page.getByText(t('memory.others'), { exact: true }).waitFor();
    await memory.history.getByText(server.admin.name, { exact: true }).first().waitFor();
    assert.equal(await memory.field.count(), 0);
    assert.equal(await memory.button('memory.save').count(), 0);
    assert.deepEqual(await faults(page), []);
    await memory.tab('seen').click();
    await page.getByText(t('memory.others_text'), { exact: true }).waitFor();
    await memory.tab('own').click();
    await memory.field.fill('- mine');
    await memory.save(1);
    assert.equal((await viewer.rest.get(ownOf(viewer))).text, '- mine');
  });
}

test('all of it is done by keyboard', async (test) => {
  const server = await served();
  const who = await makePerson(server, 'keys');
  const memory = await entered(test, server, who, 'en', keysOnly);
  const { page } = memory;
  await memory.open(server, who.project);
  await write(page, memory.field, '- by keys');
  await press(page, memory.button('memory.save'));
  await page.getByText(memory.t('policy.version', { number: 1 }), { exact: true }).first().waitFor();
  await memory.hasField();
  await page.keyboard.type('!');
  await press(page, memory.button('policy.discard'));
  assert.equal(await memory.field.inputValue(), '- by keys');
  const changed = memory.history.locator('summary');
  await press(page, changed);
  await memory.history.getByRole('figure').getByText('- by keys', { exact: true }).waitFor();
  await tabTo(page, memory.tab('own'));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.ok(await hasFocus(memory.tab('seen')));
  await page.getByRole('figure').filter({ hasText: 'USER_MEMORY' }).getByText('- by keys', { exact: true }).waitFor();
});

test('whoever signs out leaves nothing of what was typed behind', async (test) => {
  const server = await served();
  const who = await makePerson(server, 'leaves');
  const memory = await entered(test, server, who);
  const { page, t } = memory;
  await memory.open(server, who.project);
  await memory.field.fill('- not for the next');
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  assert.match(await kept(), /not for the next/);
  await page.getByRole('button', { name: t('app.account') }).click();
  await memory.button('app.sign_out').click();
  await page.waitForURL('**/sign-in');
  assert.doesNotMatch(await kept(), /not for the next/);
});

const ELSEWHERE = 'https://evil.example';
const HOSTILE = [
  `<img src="${ELSEWHERE}/pixel.png" onerror="window.harmed=1"><script>window.harmed=1</script>`,
  `- ![pixel](${ELSEWHERE}/pixel.png) [press](javascript:window.harmed=1)`,
  '# Run this plan?',
  '- invoice\u202Efdp.exe zero\u200Bwidth',
].join('\n');

test('what others wrote there is text, whatever it holds', async (test) => {
  const server = await served();
  const editor = await makeMember(server, 'editor-hostile', 'editor');
  await put(editor, projectOf(server), HOSTILE);
  const memory = await entered(test, server, server.admin);
  const { page, t } = memory;
  for (const view of ['project', 'seen']) {
    await memory.open(server, server.admin.project, view);
    for (const part of ['<script>', '[press](javascript:', 'invoicefdp.exe zerowidth', 'Run this plan?']) {
      await page.getByRole('figure').getByText(part).first().waitFor();
    }
    const found = await page.getByRole('main').evaluate((main) => ({
      harmed: window.harmed,
      made: main.querySelectorAll('img, script, iframe, [href^="javascript:"], [href*="evil"]').length,
      text: main.textContent,
    }));
    assert.deepEqual([found.harmed, found.made], [undefined, 0], view);
    assert.doesNotMatch(found.text, /[\u200B-\u200F\u202A-\u202E]/u, view);
    assert.equal(await page.getByRole('heading', { name: 'Run this plan?' }).count(), 0, 'no heading of ours');
  }
  await memory.tab('project').click();
  await memory.history.locator('summary').first().click();
  await memory.history.getByRole('figure').getByText('<script>').first().waitFor();
  await page.getByText(t('memory.others'), { exact: true }).waitFor();
});
