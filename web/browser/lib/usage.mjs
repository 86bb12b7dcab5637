// The screen of usage and budgets, and a project of which models use something.
import { Model, reply } from './model.mjs';
import { quiet } from './pages.mjs';
import { eventually } from './rest.mjs';
import { startDemo } from './server.mjs';
import { texts } from './texts.mjs';

const SAYINGS = ['hello', 'what can you do', "Write 'counted' to counted.md"];

/** As the screen writes it. */
export const counted = (language, count) => count.toLocaleString(language);

/** The screen of a page. */
export class Usage {
  constructor(page, language = 'en') {
    this.page = page;
    this.language = language;
    this.t = texts(language);
    this.notice = page.getByRole('region', { name: this.t('budget.notice'), exact: true });
    this.days = page.getByRole('table', { name: this.t('usage.days_table', { what: this.t('usage.tokens') }), exact: true });
  }

  async open(server, project = server.project, query = '') {
    await this.page.goto(`${server.url}/p/${project}/usage${query}`);
    await this.page.getByRole('heading', { level: 2, name: this.t('usage.used'), exact: true }).waitFor();
    await quiet(this.page);
  }

  window(name) {
    return this.page.getByRole('region', { name: this.t(`usage_window.${name}`), exact: true });
  }

  table(key) {
    return this.page.getByRole('table', { name: this.t(key), exact: true });
  }

  /** The cells of a row, from the one that names it. */
  async cells(table, row) {
    return (await table.getByRole('row').filter({ hasText: row }).locator('th, td').allInnerTexts()).map((text) => text.trim());
  }

  async unfold() {
    await this.page.locator('summary').filter({ hasText: this.t('usage.as_table') }).click();
    await this.days.waitFor();
  }
}

/** A few turns, and what the server counted of them. */
export async function talked(server, project = server.project, rest = server.rest) {
  for (const text of SAYINGS) await rest.say(await rest.session(project), text);
  return eventually(async () => {
    const use = await rest.get(`/projects/${project}/usage?by=day,model`);
    return use.total.calls > 0 && use.total.open === 0 && use.total.tokens > 0 ? use : null;
  }, 'the calls');
}

/** A model that uses tokens: the built-in one uses none. Free, which is a price. */
export async function counting(test) {
  const model = await new Model(() => ({ text: reply('Counted.') })).start();
  test.after(() => model.stop());
  const tiers = [{ fromInputTokens: 0, inputMicrosPerMillion: 0, outputMicrosPerMillion: 0 }];
  const name = (policy) => {
    model.name(policy);
    policy.governorModel = 'counted';
    policy.modelPrices = { ...policy.modelPrices, 'CUSTOM:counted': { currency: 'USD', tiers } };
  };
  return { environment: { WIIIV__LLM__APPROVED_ORIGINS: model.origin }, name };
}

export async function demo(test) {
  const model = await counting(test);
  const server = await startDemo(model.environment);
  test.after(() => server.remove());
  await server.rest.changePolicy(server.project, model.name);
  return server;
}
