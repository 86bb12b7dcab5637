// What axe finds on a page as it stands.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { wear } from './pages.mjs';

export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
export const THEMES = ['light', 'dark'];

/** In both themes: one line for each rule that is broken. */
export async function faults(page) {
  await page.evaluate(AXE);
  const found = [];
  for (const theme of THEMES) {
    await wear(page, theme);
    const { violations } = await page.evaluate((tags) => window.axe.run(document, { runOnly: { type: 'tag', values: tags } }), TAGS);
    found.push(...violations.map(({ id, nodes }) => `${theme}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join()}`));
  }
  return found;
}
