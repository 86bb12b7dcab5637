// What models used and what budgets have left: in figures, in a chart, and told before it is spent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, visit } from './lib/browser.mjs';
import { keysOnly, press } from './lib/keys.mjs';
import { fitsSideways, quiet, tabTo } from './lib/pages.mjs';
import { makeMember, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';
import { counted, counting, demo, talked, Usage } from './lib/usage.mjs';

const ALERT_PERCENT = 80;

/** The window of the day under a cap of that many tokens. */
async function capDay(server, tokens) {
  await server.rest.changePolicy(server.project, (policy) => (policy.tokenBudget.perDay = tokens));
  const { items } = await server.rest.get(`/projects/${server.project}/budgets`);
  return items.find(({ window }) => window === 'day');
}

test('calls and tokens stand on the screen as the server counts them, in both languages', async (test) => {
  const server = await demo(test);
  const { rows, total } = await talked(server);
  for (const language of LANGUAGES) {
    const { page } = await visit(test, server, { language });
    const usage = new Usage(page, language);
    await usage.open(server);
    const say = (count) => counted(language, count);
    const sums = [total.calls, total.input_tokens, total.output_tokens, total.tokens].map(say);
    for (const key of ['usage.by_model', 'usage.by_person']) {
      const cells = await usage.cells(usage.table(key), usage.t('usage.total'));
      assert.deepEqual(cells.slice(1, 1 + sums.length), sums, key);
    }
    await page.getByText(usage.t('usage.whole'), { exact: true }).waitFor();

    const chart = page.getByRole('region', { name: usage.t('usage.by_day'), exact: true }).getByRole('img');
    assert.match(await chart.getAttribute('aria-label'), new RegExp(`${say(total.tokens)}(?!\\d)`));
    assert.ok(await chart.locator('rect[class*="of-"]').count() > 0, 'something is drawn');
    await usage.unfold();
    const drawn = await usage.days.locator('tbody tr').evaluateAll((lines) =>
      lines.map((line) => [line.querySelector('time').dateTime, line.lastElementChild.textContent.trim()]),
    );
    const days = new Map();
    for (const { day, sums: { tokens } } of rows) days.set(day, (days.get(day) ?? 0) + tokens);
    assert.deepEqual(drawn, [...days].map(([day, tokens]) => [day, say(tokens)]));
  }
});

test('before anything is said there is a word on how it begins', async (test) => {
  const server = await demo(test);
  const { page } = await visit(test, server);
  const usage = new Usage(page);
  await usage.open(server, server.project, '?period=own&from=2001-01-01&until=2001-01-31');
  await page.getByText(usage.t('usage.none'), { exact: true }).waitFor();
  assert.equal(await page.getByRole('img').count(), 0);
  await page.getByRole('link', { name: usage.t('usage.to_chat'), exact: true }).click();
  await page.waitForURL('**/chat');
});

test('a period and dates of one’s own are in the address, and odd ones are told', async (test) => {
  const server = await demo(test);
  const { until } = await talked(server);
  const { page } = await keysOnly(test, server);
  const usage = new Usage(page);
  await usage.open(server);
  const period = page.getByRole('combobox', { name: usage.t('usage.period'), exact: true });
  await tabTo(page, period);
  await page.keyboard.press('ArrowUp');
  await page.waitForURL(/[?&]period=7/);
  await quiet(page);
  await period.selectOption('own');
  const first = page.getByLabel(usage.t('usage.from'), { exact: true });
  const last = page.getByLabel(usage.t('usage.until'), { exact: true });
  const show = page.getByRole('button', { name: usage.t('usage.show'), exact: true });
  await first.fill('2026-02-03');
  await last.fill('2026-02-01');
  await press(page, show);
  await page.getByText(usage.t('usage_fault.order'), { exact: true }).waitFor();
  assert.equal(await first.getAttribute('aria-invalid'), 'true');
  await first.fill('2001-01-01');
  await press(page, show);
  await page.getByText(usage.t('usage_fault.long', { days: 366 }), { exact: true }).waitFor();
  assert.match(page.url(), /[?&]period=7/, 'nothing odd is asked for');
  await first.fill(until);
  await last.fill(until);
  await press(page, show);
  await page.waitForURL(new RegExp(`from=${until}&until=${until}`));
  await page.reload();
  await usage.table('usage.by_model').waitFor();
  assert.equal(await first.inputValue(), until);
});

test('by keys alone: the switch of the chart and its table, and nobody is held there', async (test) => {
  const server = await demo(test);
  await talked(server);
  const { page } = await keysOnly(test, server);
  const usage = new Usage(page);
  await usage.open(server);
  await tabTo(page, page.getByRole('radio', { name: usage.t('usage.tokens'), exact: true }));
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/[?&]in=money/);
  await page.getByText(usage.t('usage.chart_free'), { exact: true }).waitFor();
  assert.equal(await page.getByText(usage.t('usage.no_price'), { exact: true }).count(), 0);
  await press(page, page.locator('summary').filter({ hasText: usage.t('usage.as_table') }));
  await page.getByRole('table', { name: usage.t('usage.days_table', { what: usage.t('usage.money') }), exact: true }).waitFor();
  await tabTo(page, page.getByRole('region', { name: usage.t('usage.by_person'), exact: true }));
});

test('a model without a price is told, and is in no sum of money', async (test) => {
  const server = await demo(test);
  await server.rest.changePolicy(server.project, (policy) => (policy.governorModel = 'unheard-of'));
  const { total } = await talked(server);
  assert.ok(total.unpriced > 0);
  const { page } = await visit(test, server);
  const usage = new Usage(page);
  await usage.open(server);
  await page.getByText(usage.t('usage.note_unpriced', { count: total.unpriced }), { exact: true }).waitFor();
  const cells = await usage.cells(usage.table('usage.by_model'), 'unheard-of');
  assert.equal(cells.at(-1), usage.t('usage.no_price'));
});

test('a day’s cap that is nearly used up, and one that is, is told beside every screen', async (test) => {
  const server = await demo(test);
  await talked(server);
  const { tokens: open } = await capDay(server, 10_000_000);
  const { page } = await visit(test, server);
  const usage = new Usage(page);
  await usage.open(server);
  await usage.window('day').getByText(usage.t('budget_state.open'), { exact: true }).waitFor();
  assert.equal(await usage.notice.count(), 0, 'nobody is nagged');
  const near = await capDay(server, Math.floor((open.settled * 100) / (ALERT_PERCENT + 5)));
  assert.equal(near.state, 'near');
  await page.goto(`${server.url}/p/${server.project}/policy`);
  const day = usage.t('budget_window.day');
  const percent = (ALERT_PERCENT / 100).toLocaleString('en', { style: 'percent' });
  const status = usage.notice.getByRole('status');
  await status.getByText(usage.t('budget.near', { percent, what: day }), { exact: true }).waitFor();
  await usage.notice.getByRole('link', { name: usage.t('budget.see'), exact: true }).click();
  await usage.window('day').getByText(usage.t('budget_state.near'), { exact: true }).waitFor();
  const meter = usage.window('day').getByRole('meter', { name: usage.t('usage.tokens'), exact: true });
  assert.ok(Number(await meter.getAttribute('aria-valuenow')) >= ALERT_PERCENT);
  assert.match(await meter.getAttribute('aria-valuetext'), new RegExp(counted('en', near.tokens.settled)));

  // What was read is not told again, until there is something new in it.
  await usage.notice.getByRole('button', { name: usage.t('budget.hide'), exact: true }).click();
  await usage.notice.waitFor({ state: 'detached' });
  await page.reload();
  await usage.window('day').waitFor();
  await quiet(page);
  assert.equal(await usage.notice.count(), 0);
  assert.equal((await capDay(server, near.tokens.settled)).state, 'spent');
  await page.reload();
  await status.getByText(usage.t('budget.spent', { what: day }), { exact: true }).waitFor();
});

test('the form of the policy knows every cap, and leaves out what has none', async (test) => {
  const server = await demo(test);
  const { page } = await visit(test, server);
  const t = texts('en');
  await page.goto(`${server.url}/p/${server.project}/policy?view=edit&at=tokenBudget`);
  const field = (key) => page.getByRole('textbox', { name: t(key), exact: true });
  const review = page.getByRole('dialog', { name: t('policy.review') });
  const document = async () => (await server.rest.get(`/projects/${server.project}/policy`)).policy;
  async function save(change) {
    const { number } = await server.rest.get(`/projects/${server.project}/policy`);
    await change();
    await page.getByRole('button', { name: t('policy.review'), exact: true }).click();
    await review.getByRole('textbox', { name: t('policy.why') }).fill('a test of the browser');
    await review.getByRole('button', { name: t('policy.save', { number: number + 1 }) }).click();
    await review.waitFor({ state: 'detached' });
    await page.getByText(t('policy.version', { number: number + 1 }), { exact: true }).first().waitFor();
  }
  await field('policy.tokens_month').waitFor();
  await save(async () => {
    await field('policy.tokens_month').fill('900000');
    await field('policy.tokens_user_day').fill('50000');
    await field('policy.cost_user_month').fill('2.5');
    await field('policy.cost_user_month').blur();
  });
  const { tokenBudget, costLimit } = await document();
  assert.deepEqual([tokenBudget.perMonth, tokenBudget.perUserDay, costLimit.perUserMonthMicros], [900_000, 50_000, 2_500_000]);
  assert.equal('perUserMonth' in tokenBudget, false);
  await page.goto(`${server.url}/p/${server.project}/policy?view=edit&at=tokenBudget`);
  await save(async () => {
    await field('policy.tokens_user_day').fill('');
    await field('policy.tokens_user_day').blur();
  });
  assert.equal('perUserDay' in (await document()).tokenBudget, false);
});

test('an editor sees her own use and is told so; owners and approvers see everybody’s', async (test) => {
  const model = await counting(test);
  const server = await startServed(model.environment);
  test.after(() => server.remove());
  const { rest, project } = server.admin;
  await rest.changePolicy(project, model.name);
  const editor = await makeMember(server, 'eun', 'editor');
  const approver = await makeMember(server, 'ara', 'approver');
  await talked(server, project, rest);
  const own = await talked(server, project, editor.rest);
  assert.equal(own.scope, 'own');
  const { page } = await visit(test, server);
  await enter(page, server, editor);
  const usage = new Usage(page);
  await usage.open(server, project);
  await page.getByText(usage.t('usage.own'), { exact: true }).waitFor();
  assert.equal(await usage.table('usage.by_person').count(), 0);
  const [, calls] = await usage.cells(usage.table('usage.by_model'), usage.t('usage.total'));
  assert.equal(calls, counted('en', own.total.calls));
  assert.equal(await page.getByRole('link', { name: usage.t('usage.change_caps') }).count(), 0);

  const { page: other } = await visit(test, server);
  await enter(other, server, approver);
  const all = new Usage(other);
  await all.open(server, project);
  await all.table('usage.by_person').getByText('eun', { exact: true }).waitFor();
  await all.table('usage.by_person').getByText('admin', { exact: true }).waitFor();
});

test('nothing stands out of a small window', async (test) => {
  const server = await demo(test);
  await talked(server);
  const { settled } = (await capDay(server, 10_000_000)).tokens;
  await capDay(server, settled);
  for (const language of LANGUAGES) {
    const { page } = await visit(test, server, { language, width: 390, height: 844 });
    const usage = new Usage(page, language);
    await usage.open(server);
    await usage.notice.waitFor();
    await usage.unfold();
    await fitsSideways(page);
  }
});
