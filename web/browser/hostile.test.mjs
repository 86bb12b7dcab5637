// Text that others wrote, meant to do harm: it is shown as text, and that is all.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { ask, Model, read, reply, write } from './lib/model.mjs';
import { Chat, fitsSideways, quiet } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';

const ELSEWHERE = 'https://evil.example';
const TEXTS = {
  markup: `<img src="${ELSEWHERE}/pixel.png" onerror="window.harmed=1"><script>window.harmed=1</script><style>body{display:none}</style><a href="${ELSEWHERE}">here</a>`,
  markdown: `![pixel](${ELSEWHERE}/pixel.png) [press](javascript:window.harmed=1) <${ELSEWHERE}>`,
  bidi: 'invoice\u202Efdp.exe \u2066inside\u2069 zero\u200Bwidth',
  ansi: '\u001B[31mred\u001B[0m \u001B]0;title\u0007 back\u0008space',
  imitation: 'Run this plan?\n\n[ Confirm and run ]   [ Back ]\n\nASK → CONFIRM → EXECUTE · DACS YES · 4/4 gates',
};
/** Claims nothing: what a run does not bear out is not told at all. */
const PLEA = 'Run this plan?\n\n[ Confirm and run ]   [ Back ]';
const ALL = Object.values(TEXTS).join('\n\n');
/** Characters that steer what is around them; no screen lets one through. */
const STEERING = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069]/u;
const WIDTHS = [1280, 390];
const MEGABYTE = 1_000_000;
const LINE_CHARS_SHOWN = 30_000;
const PAUSE_MS_MAX = 2_000;

/** By a word of the message. */
const PROPOSALS = {
  'WRITE-IT': () => write('notes/hostile.md', ALL),
  'RUN-FIRST': () => write('notes/first.md', 'first'),
  'ASK-BACK': () => ask(TEXTS.imitation),
  'LONG-LINE': () => reply('z'.repeat(200_000)),
  'LONG-FILE': () => write('long-file.txt', 'z'.repeat(60_000)),
  'READ-LONG': () => read('long.txt'),
};

const said = new Set();
const model = shared(async () =>
  new Model((asked) => {
    const last = JSON.stringify(asked.messages?.at(-1) ?? asked);
    const word = Object.keys(PROPOSALS).find((one) => last.includes(one));
    // What is asked about a run holds the words that led to it.
    const isAgain = said.has(word);
    said.add(word);
    if (isAgain) return { text: reply(PLEA) };
    return { text: word ? PROPOSALS[word]() : reply(ALL) };
  }).start(),
);

const demo = shared(async () => {
  const { origin } = await model();
  const server = await startDemo({ WIIIV__LLM__APPROVED_ORIGINS: origin });
  const named = await model();
  await server.rest.changePolicy(server.project, (policy) => named.name(policy));
  return server;
});

/** Whatever the screen shows, it shows it harmlessly. */
async function isHarmless(page, where) {
  const found = await page.evaluate((elsewhere) => {
    const links = [...document.querySelectorAll('a, img, iframe, form, object, embed, video, audio')];
    const address = (one) => one.href ?? one.src ?? one.action ?? one.data ?? '';
    const bad = (one) => String(address(one)).startsWith(elsewhere) || /^javascript:/i.test(address(one));
    return {
      harmed: window.harmed,
      bad: links.filter(bad).map((one) => one.outerHTML),
      text: document.body.textContent,
      shown: getComputedStyle(document.body).display,
    };
  }, ELSEWHERE);
  assert.equal(found.harmed, undefined, `${where}: no script runs`);
  assert.deepEqual(found.bad, [], `${where}: nothing leads elsewhere`);
  assert.notEqual(found.shown, 'none', `${where}: no style of others holds`);
  const steering = STEERING.exec(found.text);
  assert.equal(steering, null, `${where}: U+${steering?.[0].codePointAt(0).toString(16)} is let through`);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await fitsSideways(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function isShownAsText(place) {
  for (const part of ['<img src=', '<script>', '![pixel](', '[press](javascript:', '⟨U+202E⟩', '⟨U+001B⟩']) {
    await place.getByText(part).first().waitFor();
  }
}

test('what a model says is framed text', async (t) => {
  const server = await demo();
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('say something');
  const frame = chat.log.getByRole('figure').filter({ hasText: chat.t('chat.from_model') });
  await frame.getByText('ASK → CONFIRM').waitFor();
  await isShownAsText(frame);
  await isHarmless(page, 'chat');
  // What imitates our buttons is none, and stands inside the frame.
  assert.equal(await chat.button('approve.do').count(), 0);
  assert.equal(await chat.button('chat.yes').count(), 0);
  const outside = chat.log.getByText('Confirm and run');
  assert.equal(await outside.count(), await frame.getByText('Confirm and run').count());
});

test('what a person said themselves is text too', async (t) => {
  const server = await demo();
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say(TEXTS.markup);
  await chat.log.getByText('<script>window.harmed=1').first().waitFor();
  await chat.session();
  await chat.rests();
  await isHarmless(page, 'own message');
  // It has arrived, so that the list calls the conversation by it at once.
  await page.goto(`${server.url}/p/${server.project}/chat`);
  const link = page.getByRole('link', { name: '<img src=' }).first();
  await link.waitFor();
  await isHarmless(page, 'list of conversations');
});

test('a preview shows the exact hostile content, on every screen that tells of it', async (t) => {
  const server = await demo();
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('WRITE-IT');
  const card = chat.log.getByRole('article').filter({ has: chat.button('chat.yes') }).last();
  await card.waitFor();
  await isShownAsText(card);
  await isHarmless(page, 'preview');
  assert.equal(await chat.button('chat.yes').count(), 1, 'there is one button that confirms');
  await chat.approve();
  await chat.runIs('succeeded');
  await isHarmless(page, 'run');

  const { items } = await server.rest.get('/approvals?limit=1');
  const [{ id, blueprint, execution }] = items;
  const project = `/p/${server.project}`;
  for (const path of [
    `/approvals/${id}?state=any`,
    `${project}/why/${blueprint}`,
    `${project}/executions`,
    `${project}/executions/${execution}`,
    `${project}/audit`,
  ]) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await quiet(page);
    await isHarmless(page, path);
  }
});

/** How long the page was deaf at most, in ms, from here on. */
async function watchPauses(page) {
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: 'longtask', buffered: false });
  });
  return () => page.evaluate(() => Math.round(window.longest));
}

const LINES = {
  // What a model may answer at most is a quarter of that.
  'of a model': { say: 'LONG-LINE', see: (chat) => chat.log.getByRole('figure').getByText(/^z{1000}/).first() },
  'in a preview': { say: 'LONG-FILE', see: (chat) => chat.button('chat.yes') },
  'of a file': { say: 'READ-LONG', see: (chat) => chat.button('run.download').first() },
};

for (const [name, { say, see }] of Object.entries(LINES)) {
  test(`a very long line ${name} is cut, and the page stays quick`, async (t) => {
    const server = await demo();
    await writeFile(join(server.ready.workspace, 'long.txt'), 'x'.repeat(MEGABYTE));
    const { page } = await visit(t, server);
    const chat = new Chat(page);
    await chat.open(server, server.project);
    const longest = await watchPauses(page);
    await chat.say(say);
    await see(chat).waitFor();
    await chat.rests();
    await isHarmless(page, name);
    const shown = await chat.log.evaluate((element) => element.textContent.length);
    assert.ok(shown < LINE_CHARS_SHOWN, `${shown} characters are drawn`);
    const ms = await longest();
    t.diagnostic(`longest pause: ${ms} ms of ${PAUSE_MS_MAX}`);
    assert.ok(ms < PAUSE_MS_MAX, `deaf for ${ms} ms`);
  });
}

for (const name of ['ask', 'facts']) {
  test(`words of a model in front of ours are framed (${name})`, async (t) => {
    const server = await demo();
    const { page } = await visit(t, server);
    const chat = new Chat(page);
    await chat.open(server, server.project);
    if (name === 'ask') await chat.say('ASK-BACK');
    else {
      await chat.say('RUN-FIRST');
      await chat.approve();
    }
    const frame = chat.log.getByRole('figure').filter({ hasText: chat.t('chat.from_model') });
    await frame.getByText('Confirm and run').first().waitFor();
    await chat.rests();
    const everywhere = chat.log.getByText('Confirm and run');
    assert.equal(await everywhere.count(), await frame.getByText('Confirm and run').count(), 'nowhere outside');
    await isHarmless(page, name);
    if (name === 'ask') assert.ok((await chat.log.getByText('What should the file contain?').count()) > 0, 'our own question stands beside it');
  });
}

test('names that people chose are text wherever they stand', async (t) => {
  const server = await demo();
  const made = await server.rest.post('/projects', { name: '<img src=x onerror=window.harmed=1>' });
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, made.id);
  await isHarmless(page, 'project');
  const chosen = page.getByRole('combobox', { name: chat.t('app.project') });
  assert.match(await chosen.locator('option:checked').textContent(), /^<img src=x/);
});
