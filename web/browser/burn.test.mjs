// A budget through its month: drawn, in words and in figures; its end is foretold where days bear it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { CAP, day, pretend, TODAY } from './lib/budget.mjs';
import { keysOnly, press } from './lib/keys.mjs';
import { fitsSideways, tabTo } from './lib/pages.mjs';
import { makeMember, shared, startServed } from './lib/server.mjs';
import { LANGUAGES } from './lib/texts.mjs';
import { counted, counting, demo, talked, Usage } from './lib/usage.mjs';

/** More than one call is promised at most. */
const ROOMY = 10_000_000;

const server = shared(() => startServed());

/** The card of a window on a page of that story. */
async function story(test, told, options = {}) {
  const { language = 'en' } = options;
  const { page } = await visit(test, await server(), options);
  await enter(page, await server(), (await server()).admin);
  await pretend(page, (await server()).admin.project, told);
  const usage = new Usage(page, language);
  await usage.open(await server(), (await server()).admin.project);
  return { page, usage, card: usage.window(told.window ?? 'month') };
}

const aday = (language, of) =>
  new Date(of).toLocaleDateString(language, { timeZone: 'UTC', month: 'short', day: 'numeric' });
const amonth = (language) => new Date(TODAY).toLocaleDateString(language, { timeZone: 'UTC', month: 'long', year: 'numeric' });

test('what was really used stands under the cap, in the drawing as in the table, and no pace is made of one day', async (test) => {
  const real = await demo(test);
  const { total } = await talked(real);
  await real.rest.changePolicy(real.project, (policy) => {
    policy.tokenBudget.perDay = CAP;
    policy.tokenBudget.perUserMonth = CAP;
  });
  for (const language of LANGUAGES) {
    const { page } = await visit(test, real, { language });
    const usage = new Usage(page, language);
    await usage.open(real);
    const [spent, left] = [total.tokens, CAP - total.tokens].map((count) => counted(language, count));
    for (const name of ['day', 'user_month']) {
      const card = usage.window(name);
      const label = await card.getByRole('img').getAttribute('aria-label');
      for (const part of [usage.t(`usage_window.${name}`), spent, usage.t('usage.burn_left', { left })]) assert.ok(label.includes(part), `${part} in ${label}`);
      assert.equal(await card.locator('line.ahead').count(), 0);
      await card.locator('summary').click();
      const what = usage.t('usage.tokens');
      const table = card.getByRole('table', { name: usage.t('usage.burn_table_label', { window: usage.t(`usage_window.${name}`), what }), exact: true });
      const [, first, second] = await usage.cells(table, spent);
      assert.equal(first, spent);
      if (name === 'user_month') assert.equal(second, spent);
    }
    await usage.window('user_month').getByText(usage.t('usage.burn_early', { days: 3 })).waitFor();
    // What has no cap is not drawn.
    for (const name of ['month', 'user_day']) assert.equal(await usage.window(name).getByRole('img').count(), 0);
  }
});

test('where it runs out at this pace is said and drawn, in both languages', async (test) => {
  for (const language of LANGUAGES) {
    const { usage, card } = await story(test, { amounts: [0, 600, 600, 600, 600, 600, 600, 600, 600, 0] }, { language });
    const say = (count) => counted(language, count);
    const words = usage.t('usage.burn_ends', { pace: say(600), day: aday(language, day(19)) });
    await card.getByText(words).waitFor();
    await card.getByText(usage.t('usage.burn_left', { left: say(CAP - 4_800) })).waitFor();
    assert.ok((await card.getByRole('img').getAttribute('aria-label')).includes(words));
    const [x, y, cap] = await card.locator('svg').evaluate((svg) => {
      const of = (name, key) => Number(svg.querySelector(name).getAttribute(key));
      return [of('line.ahead', 'x2'), of('line.ahead', 'y2'), of('line.cap', 'y1')];
    });
    assert.ok(x > 18 && x < 19, `the 19th at ${x}`);
    assert.equal(y, cap, 'it ends at the cap');
    await card.getByText(usage.t('usage.burn_ahead'), { exact: true }).waitFor();
  }
});

test('a cap that outlasts its month, one that is used up, and days that are too few', async (test) => {
  const lasts = await story(test, { amounts: [100, 100, 100, 100, 100, 100, 100, 100, 100, 100] });
  const values = { pace: '100', total: '3,000', month: amonth('en') };
  await lasts.card.getByText(lasts.usage.t('usage.burn_lasts', values)).waitFor();
  const spent = await story(test, { amounts: [2_000, 2_000, 2_000, 2_000, 2_000, 0, 0, 0, 0, 0] });
  await spent.card.getByText(spent.usage.t('usage.burn_none_left')).waitFor();
  assert.equal(await spent.card.locator('line.ahead').count(), 0);
  const early = await story(test, { amounts: [0, 0, 0, 0, 0, 0, 0, 3_000, 3_000, 3_000], held: 500 });
  await early.card.getByText(early.usage.t('usage.burn_early', { days: 3 })).waitFor();
  await early.card.getByText(early.usage.t('usage.burn_left', { left: '500' })).waitFor();
});

test('money is told as money, and a day’s budget by the days that reached it', async (test) => {
  const money = await story(test, { amounts: [1e6, 1e6, 1e6, 1e6, 0, 0, 0, 0, 0, 0], measure: 'micros', cap: 5e6 });
  await money.card.getByText(money.usage.t('usage.burn_left', { left: '$1.00' })).waitFor();
  const days = await story(test, { amounts: [CAP, 50, 0, CAP, 0, 0, 0, 0, 0, 70], window: 'day' });
  await days.card.getByText(days.usage.t('usage.burn_days_reached', { count: 2 })).waitFor();
  await days.card.getByText(days.usage.t('usage.burn_left', { left: counted('en', CAP - 70) })).waitFor();
  assert.equal(await days.card.locator('rect.bar').count(), 4);
  assert.equal(await days.card.locator('line.ahead').count(), 0);
});

test('what the figures do not say is told: another count of the budget, calls without a price', async (test) => {
  const other = await story(test, { amounts: [0, 0, 0, 0, 0, 0, 300, 300, 300, 100], settled: 900 });
  await other.card.getByText(other.usage.t('usage.burn_differs', { days: '1,000', counted: '900' }), { exact: true }).waitFor();
  await other.card.getByText(other.usage.t('usage.burn_left', { left: counted('en', CAP - 900) })).waitFor();
  const unpriced = await story(test, { amounts: [0, 0], measure: 'micros', unpriced: 2 });
  await unpriced.card.getByText(unpriced.usage.t('usage.note_unpriced', { count: 4 }), { exact: true }).waitFor();
  assert.equal(await unpriced.card.getByRole('img').count(), 0, 'nothing with a price, nothing to draw');
});

test('an editor sees her own budgets by day, and is told who sees everybody’s', async (test) => {
  const model = await counting(test);
  const real = await startServed(model.environment);
  test.after(() => real.remove());
  const { rest, project } = real.admin;
  await rest.changePolicy(project, (policy) => {
    model.name(policy);
    policy.tokenBudget.perMonth = ROOMY;
    policy.tokenBudget.perUserMonth = ROOMY;
  });
  const editor = await makeMember(real, 'eun', 'editor');
  await talked(real, project, rest);
  const { total } = await talked(real, project, editor.rest);
  const { page } = await visit(test, real);
  await enter(page, real, editor);
  const usage = new Usage(page);
  await usage.open(real, project);
  await usage.window('month').getByText(usage.t('usage.burn_others'), { exact: true }).waitFor();
  assert.equal(await usage.window('month').getByRole('img').count(), 0);
  const label = await usage.window('user_month').getByRole('img').getAttribute('aria-label');
  assert.ok(label.includes(`${counted('en', total.tokens)} of `), label);
});

test('by keys alone its figures are opened, and nothing stands out of a small window', async (test) => {
  const told = { amounts: [0, 600, 600, 600, 600, 600, 600, 600, 600, 0] };
  const { page } = await keysOnly(test, await server());
  await enter(page, await server(), (await server()).admin);
  await pretend(page, (await server()).admin.project, told);
  const usage = new Usage(page);
  await usage.open(await server(), (await server()).admin.project);
  const card = usage.window('month');
  await press(page, card.locator('summary'));
  const values = { window: usage.t('usage_window.month'), what: usage.t('usage.tokens') };
  const name = usage.t('usage.burn_table_label', values);
  await tabTo(page, card.getByRole('region', { name, exact: true }));
  const table = card.getByRole('table', { name, exact: true });
  assert.deepEqual((await usage.cells(table, '1,200')).slice(1), ['600', '1,200', '12%']);
  for (const language of LANGUAGES) {
    const small = await story(test, told, { language, width: 390, height: 844 });
    await small.card.locator('summary').click();
    await fitsSideways(small.page);
  }
});
