// Photographs every screen: `npm run screenshots -- FOLDER`, a folder outside of this repository.
import { mkdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { enterDemo, executablePath } from './lib/browser.mjs';
import { wear } from './lib/pages.mjs';
import { screens, show } from './lib/screens.mjs';
import { endAll } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const WIDTHS = { 1280: 800, 390: 844 };
const THEMES = ['light', 'dark'];
const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

const folder = resolve(process.argv[2] ?? '');
if (!process.argv[2] || `${folder}${sep}`.startsWith(REPOSITORY)) {
  console.error('npm run screenshots -- FOLDER, outside of the repository');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

const browser = await chromium.launch({ executablePath });
const list = await screens();
let taken = 0;
for (const language of LANGUAGES) {
  const locale = language === 'ko' ? 'ko-KR' : 'en-US';
  for (const [width, height] of Object.entries(WIDTHS)) {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
    for (const server of new Set(list.map((screen) => screen.server))) if (server.ready.link) await enterDemo(context, server);
    const page = await context.newPage();
    await page.setViewportSize({ width: Number(width), height });
    for (const screen of list) {
      try {
        await show(page, screen, texts(language));
      } catch (error) {
        console.error(`${screen.name} (${language}, ${width}): ${error.message.split('\n')[0]}`);
        process.exitCode = 1;
      }
      for (const theme of THEMES) {
        await wear(page, theme);
        await page.screenshot({ path: join(folder, `${screen.name}-${language}-${theme}-${width}.png`) });
        taken += 1;
      }
    }
    await context.close();
  }
}
await browser.close();
endAll();
console.log(`${taken} pictures in ${folder}`);
