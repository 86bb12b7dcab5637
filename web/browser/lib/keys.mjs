// A page whose pointer does nothing: whatever is done there is done by keys.
import { visit } from './browser.mjs';
import { tabTo } from './pages.mjs';

/** Stops on the way through the longest form. */
const TABS_MAX = 250;

export async function keysOnly(test, server, options) {
  const visited = await visit(test, server, options);
  await visited.context.addInitScript(() => {
    const stop = (event) => event.isTrusted && event.detail > 0 && event.stopImmediatePropagation();
    for (const kind of ['pointerdown', 'mousedown', 'click']) window.addEventListener(kind, stop, true);
  });
  return visited;
}

/** Goes there by Tab and presses it. */
export async function press(page, target, key = 'Enter') {
  await target.waitFor();
  await tabTo(page, target, TABS_MAX);
  await page.keyboard.press(key);
}

/** Goes there by Tab and writes over what stands there. */
export async function write(page, target, text) {
  await target.waitFor();
  await tabTo(page, target, TABS_MAX);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}
