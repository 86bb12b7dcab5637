// What a person does on the screens, by the names that are read there.
import assert from 'node:assert/strict';
import { texts } from './texts.mjs';

/** The conversation of a page. */
export class Chat {
  constructor(page, language = 'en') {
    this.page = page;
    this.t = texts(language);
    this.log = page.getByRole('log', { name: this.t('chat.log') });
    this.field = page.getByRole('textbox', { name: this.t('chat.message') });
  }

  /** A new conversation, or an old one by its id. */
  async open(server, project, session = '') {
    await this.page.goto(`${server.url}/p/${project}/chat${session && `/${session}`}`);
    await this.field.waitFor();
  }

  async say(text) {
    await this.field.fill(text);
    await this.field.press('Enter');
  }

  /** What was said has arrived, and the turn that it began is over. */
  async rests() {
    await this.log.getByText(this.t('chat.sending'), { exact: true }).first().waitFor({ state: 'detached' });
    // While the past is read, no turn is known to run.
    await this.log.and(this.page.locator('[aria-busy="false"]')).waitFor();
    await this.button('chat.stop').waitFor({ state: 'detached' });
  }

  /** Said once: neither lost nor doubled. */
  async holdsOnce(text) {
    const found = this.log.getByText(text, { exact: true });
    await found.first().waitFor();
    assert.equal(await found.count(), 1, `\`${text}\` stands ${await found.count()} times`);
  }

  button(key) {
    return this.page.getByRole('button', { name: this.t(key), exact: true });
  }

  dialog(key) {
    return this.page.getByRole('dialog', { name: this.t(key) });
  }

  /** One press below the exact effect. */
  async approve() {
    // The decision strip says `YES` too, as a chip.
    const yes = this.button('chat.yes').and(this.page.locator('.accent'));
    await yes.last().click();
    await yes.waitFor({ state: 'detached' });
  }

  /** What cannot be undone is asked once more. */
  async approveTwice() {
    await this.button('chat.yes').click();
    await this.dialog('approve.title').getByRole('button', { name: this.t('approve.do') }).click();
    await this.dialog('approve.title').waitFor({ state: 'detached' });
  }

  async runIs(state) {
    const run = this.page.getByRole('region', { name: this.t('run.title') });
    // Of the run: each of its steps has a state too.
    const whole = run.locator('header').getByText(this.t(`run_state.${state}`), { exact: true });
    await whole.first().waitFor();
  }

  /** From the address, once there is one. */
  async session() {
    await this.page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
    return this.page.url().slice(-36);
  }
}

/** Tab after Tab until it has the focus. */
export async function tabTo(page, target, most = 80) {
  for (let tabs = 0; tabs < most; tabs++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached by ${most} tabs`);
}

export async function hasFocus(target) {
  if ((await target.count()) !== 1) return false;
  return target.evaluate((element) => element === document.activeElement);
}

/** Something is pressed with Enter and opens a dialog; Escape closes it and focus comes back. */
export async function opensAndReturns(page, opener, dialog, inside = async () => undefined) {
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await inside();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await hasFocus(opener), 'focus returns to what opened the dialog');
}

/** Nothing stands out of the window sideways. */
export async function fitsSideways(page) {
  const [wide, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  assert.ok(wide <= window, `${wide} px in a window of ${window}`);
}

/** It stands in the window, and nothing lies over it. */
export async function isUncovered(target) {
  await target.waitFor();
  return target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

const SETTLED_MS = 300;

/** Nothing is loaded any more, and nothing has moved for a moment. */
export async function quiet(page) {
  await page.waitForFunction((settledMs) => {
    const now = document.body.innerHTML.length + document.querySelectorAll('[aria-busy="true"]').length * 1e9;
    const last = window.settled;
    if (last?.now !== now) window.settled = { now, at: Date.now() };
    return now < 1e9 && last?.now === now && Date.now() - last.at > settledMs;
  }, SETTLED_MS);
}

/** Another theme, with every colour where it ends. */
export async function wear(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    await Promise.allSettled(document.getAnimations().filter(isFinite).map(({ finished }) => finished));
    function isFinite(animation) {
      return animation.effect?.getComputedTiming().endTime !== Infinity;
    }
  });
}
