// A budget through a month, as a server would tell it.

export const CAP = 10_000;
/** Long ago, so that the day of the story is over whenever this runs. */
export const TODAY = '2025-11-10';
export const day = (of) => `2025-11-${String(of).padStart(2, '0')}`;

const NOTHING = { calls: 0, open: 0, input_tokens: 0, output_tokens: 0, tokens: 0, micros: 0, unpriced: 0, estimated: 0 };

/** Tells a page what a server would after days that no test can wait for. */
export async function pretend(page, project, { amounts, window = 'month', measure = 'tokens', cap = CAP, held = 0, unpriced = 0, ...told }) {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const settled = told.settled ?? (window === 'day' ? amounts.at(-1) : total);
  const sums = (amount) => ({ ...NOTHING, calls: amount > 0 || unpriced > 0 ? 1 : 0, unpriced, [measure]: amount });
  const rows = amounts.map((amount, at) => ({ day: day(at + 1), provider: null, model: null, user: null, sums: sums(amount) }));
  const nothing = { cap: null, held: 0, settled: 0 };
  const item = (name, of) => ({
    window: name, of, tokens: nothing, micros: nothing, state: 'open', alerted_at: null,
    ...(name === window ? { [measure]: { cap, held, settled } } : {}),
  });
  const budgets = { currency: 'USD', alert_percent: 80, per_run: { tokens: null, micros: null }, items: [item('day', TODAY), item('month', '2025-11')] };
  await page.route(`**/projects/${project}/budgets`, (route) => route.fulfill({ json: budgets }));
  const view = { from: day(1), until: TODAY, scope: 'project', by: ['day'], currency: 'USD', rows, total: sums(total), truncated: false };
  await page.route(`**/projects/${project}/usage?from=${day(1)}&*`, (route) => route.fulfill({ json: view }));
}
