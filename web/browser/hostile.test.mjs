// Text that others wrote, meant to do harm: it is shown as text, and that is all.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Model, reply, write } from './lib/model.mjs';
import { Chat, fitsSideways, quiet } from './lib/pages.mjs';
import { shared, startDemo } from './lib/server.mjs';

const ELSEWHERE = 'https://evil.example';
const TEXTS = {
  markup: `<img src="${ELSEWHERE}/pixel.png" onerror="window.harmed=1"><script>window.harmed=1</script><style>body{display:none}</style><a href="${ELSEWHERE}">here</a>`,
  markdown: `![pixel](${ELSEWHERE}/pixel.png) [press](javascript:window.harmed=1) <${ELSEWHERE}>`,
  bidi: 'invoice\u202Efdp.exe \u2066inside\u2069 zero\u200Bwidth',
  ansi: '\u001B[31mred\u001B[0m \u001B]0;title\u0007 back\u0008space',
  imitation: 'Shall I do this?\n\n[ Confirm and run ]   [ Back ]\n\nASK → CONFIRM → EXECUTE · DACS YES · 4/4 gates',
};
const ALL = Object.values(TEXTS).join('\n\n');
/** Characters that steer what is around them; no screen lets one through. */
const STEERING = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069]/u;
const WIDTHS = [1280, 390];
const MEGABYTE = 1_000_000;

const model = shared(async () =>
  new Model((asked) => {
    const wanted = JSON.stringify(asked).includes('WRITE-IT');
    return { text: wanted ? write('notes/hostile.md', ALL) : reply(ALL) };
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
  const session = await chat.session();
  await chat.button('chat.stop').waitFor({ state: 'detached' });
  await isHarmless(page, 'own message');
  await page.goto(`${server.url}/p/${server.project}/chat`);
  await page.getByRole('link', { name: '<img src=' }).first().waitFor();
  await isHarmless(page, 'list of conversations');
  assert.ok(session);
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
  await chat.button('chat.yes').click();
  const confirming = chat.dialog('approve.title');
  await isShownAsText(confirming);
  const confirm = confirming.getByRole('button', { name: chat.t('approve.do') });
  assert.equal(await confirm.count(), 1, 'there is one button that confirms');
  await isHarmless(page, 'second yes');
  await confirm.click();
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

test('a line of a megabyte is cut, and the page stays quick', async (t) => {
  const server = await demo();
  await server.rest.changePolicy(server.project, (policy) => (policy.llmProvider = 'OFFLINE'));
  t.after(async () => {
    const { name } = await model().then((one) => ({ name: (policy) => one.name(policy) }));
    await server.rest.changePolicy(server.project, name);
  });
  await writeFile(join(server.ready.workspace, 'long.txt'), 'x'.repeat(MEGABYTE));
  const { page } = await visit(t, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('y'.repeat(MEGABYTE));
  await chat.log.getByRole('button', { name: /^Show more/ }).first().waitFor();
  await chat.button('chat.stop').waitFor({ state: 'detached' });
  await fitsSideways(page);
  await chat.say("Write 'short' to long.txt");
  await chat.button('chat.yes').waitFor();
  await isHarmless(page, 'a megabyte');
  const shown = await chat.log.evaluate((element) => element.textContent.length);
  assert.ok(shown < MEGABYTE / 2, `${shown} characters are drawn`);
});

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
