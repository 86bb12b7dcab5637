// Every route, in both themes and both languages, read by axe.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, TAGS, THEMES } from './lib/axe.mjs';
import { visit } from './lib/browser.mjs';
import { wear } from './lib/pages.mjs';
import { patterns, screens, show } from './lib/screens.mjs';
import { shared } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const all = shared(screens);

test('every route stands among the screens that are read', async () => {
  const read = new Set((await all()).map(({ pattern }) => pattern));
  assert.deepEqual(patterns().filter((pattern) => !read.has(pattern)), []);
});

async function read(page) {
  const { violations, passes } = await page.evaluate((tags) => {
    const runOnly = { type: 'tag', values: tags };
    return window.axe.run(document, { runOnly, resultTypes: ['violations'] });
  }, TAGS);
  const told = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
  return { told, rules: passes.length };
}

/** One language: what was found, and how often was looked. */
async function readAll(t, language, list) {
  const [server, ...others] = [...new Set(list.map((screen) => screen.server))];
  const { page } = await visit(t, server, { language, others });
  const found = [];
  for (const screen of list) {
    await show(page, screen, texts(language)).catch((error) => found.push(`${screen.name}: ${error.message}`));
    await page.evaluate(AXE);
    for (const theme of THEMES) {
      await wear(page, theme);
      const { told, rules } = await read(page);
      assert.ok(rules > 0, `${screen.name}: axe looked at something`);
      found.push(...told.map((one) => `${screen.name} (${language}, ${theme}): ${one}`));
    }
  }
  return found;
}

test('axe finds nothing on any route, in two themes and two languages', async (t) => {
  const list = await all();
  const found = (await Promise.all(LANGUAGES.map((language) => readAll(t, language, list)))).flat();
  const looks = list.length * THEMES.length * LANGUAGES.length;
  const routes = `${patterns().length} routes as ${list.length} screens`;
  const times = `${THEMES.length} themes x ${LANGUAGES.length} languages`;
  t.diagnostic(`axe: ${routes} x ${times} = ${looks} looks, ${found.length} violations`);
  assert.equal(found.length, 0, found.join('\n'));
});
