// Which models are verified for what, and what says so: the ledger, the suites behind it, and the keys that sign.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { enter, visit } from './lib/browser.mjs';
import { keysOnly, press, write } from './lib/keys.mjs';
import { fitsSideways, hasFocus, quiet } from './lib/pages.mjs';
import { Runner, play } from './lib/runner.mjs';
import { makePerson, shared, startServed } from './lib/server.mjs';
import { pattern, texts } from './lib/texts.mjs';

const served = shared(startServed);
const exact = (of, role, name) => of.getByRole(role, { name, exact: true });
const rowOf = (table, name) => table.getByRole('row').filter({ has: table.page().getByRole('rowheader', { name, exact: true }) });

/** Another model for each language: the suites of one are not those of the other. */
for (const [language, rank] of [['en', 'minimum'], ['ko', 'best']]) {
  test(`the ledger, a suite of it, and what differs from another one, in ${language}`, async (test) => {
    const server = await served();
    const t = texts(language);
    const { rest, project } = server.admin;
    const { model } = await play(rest, await Runner.registered(rest, `ci-${language}`), rank);
    const called = `${t('provider.OPENAI')} · ${model}`;
    const { page } = await visit(test, server, { language });
    await enter(page, server, server.admin);
    await page.goto(`${server.url}/p/${project}/ghost`);
    const card = exact(page, 'listitem', called);
    await card.getByText(pattern(language, 'ghost_standing.incomplete')).first().waitFor();
    await card.locator('summary').click();
    const deletes = (place) => place.getByRole('listitem').filter({ hasText: t('task.FILE_DELETE') });
    await deletes(card).getByText(t('models.verified'), { exact: true }).waitFor();

    const results = exact(page, 'table', t('ghost.results'));
    const suites = results.getByRole('row').filter({ has: page.getByText(called, { exact: true }) });
    await suites.filter({ hasText: t('ghost_word.claimed') }).waitFor();
    const signed = suites.filter({ hasText: `ci-${language}` });
    await signed.getByText(`${model}-1`, { exact: true }).waitFor();
    await signed.getByRole('link').click();
    const heading = exact(page, 'heading', t('ghost.suite', { model: called }));
    await heading.waitFor();
    assert.ok(await hasFocus(heading), 'reading goes on at the top of the suite');

    const matrix = exact(page, 'table', t('ghost.matrix'));
    await exact(matrix, 'columnheader', t('ghost.repeat', { nth: 3 })).waitFor();
    const failed = rowOf(matrix, 'C01');
    assert.equal(await failed.getByText(t('ghost_verdict.FAIL'), { exact: true }).count(), 1);
    await failed.getByText('seen "<b>three</b>"').waitFor();
    await page.getByLabel(t('ghost.only_bad'), { exact: true }).check();
    await rowOf(matrix, 'G03').waitFor({ state: 'detached' });
    await failed.waitFor();
    const verdict = exact(page, 'region', t('ghost.verdict'));
    await deletes(verdict).getByText(t('models.verified'), { exact: true }).waitFor();
    await verdict.getByText(t('models.excluded', { ids: 'C30, Z02' }), { exact: true }).waitFor();
    await comparesWithBaseline(page, t, called);
    assert.deepEqual(await faults(page), []);
    await page.setViewportSize({ width: 360, height: 800 });
    await fitsSideways(page);
  });
}

/** What is chosen stands in the address. */
async function comparesWithBaseline(page, t, called) {
  const baseline = exact(page, 'combobox', t('ghost.baseline'));
  const option = baseline.locator('option').filter({ hasText: `· ${called} ·` });
  await option.waitFor({ state: 'attached' });
  await baseline.selectOption(await option.getAttribute('value'));
  await page.waitForURL(/baseline=/);
  await page.reload();
  const difference = exact(page, 'table', t('ghost.difference'));
  for (const [scenario, kind] of [['C01', 'worse'], ['C02', 'gone'], ['G03', 'added']]) {
    await rowOf(difference, scenario).getByText(t(`ghost_change.${kind}`), { exact: true }).waitFor();
  }
  assert.equal(await difference.getByRole('row').count(), 7, 'its head, and what is not the same');
  await page.getByText(t('ghost.visited_new', { items: 'HOST_NOT_ALLOWED' }), { exact: true }).waitFor();
  await page.getByText(t('ghost.visited_lost', { items: 'Listening said' }), { exact: true }).waitFor();
}

test('by keys alone: a runner key is registered, and withdrawn with all that it signed', async (test) => {
  const server = await startServed();
  test.after(() => server.remove());
  const t = texts('en');
  const { rest, project } = server.admin;
  const runner = new Runner();
  const { page } = await keysOnly(test, server);
  await enter(page, server, server.admin);
  await page.goto(`${server.url}/p/${project}/ghost`);
  await page.getByText(t('ghost.none'), { exact: true }).waitFor();
  const keys = exact(page, 'region', t('runner.title'));
  const add = async (name) => {
    await write(page, exact(keys, 'textbox', t('runner.name')), name);
    await write(page, exact(keys, 'textbox', t('runner.public_key')), runner.publicKey);
    await page.keyboard.press('Enter');
  };
  await add('lab');
  const revoke = exact(keys, 'button', t('runner.revoke_of', { name: 'lab' }));
  await revoke.waitFor();
  // Known already: why, and what to do instead.
  await add('lab-2');
  await keys.getByRole('alert').getByText('wiiiv ghost key new').waitFor();

  await play(rest, runner, 'minimum');
  await page.reload();
  const results = exact(page, 'table', t('ghost.results'));
  const word = (of) => results.getByText(t(`ghost_word.${of}`), { exact: true });
  await word('signed').waitFor();
  await quiet(page);
  await press(page, revoke);
  await press(page, exact(page.getByRole('dialog'), 'button', t('runner.revoke')));
  await word('revoked').waitFor();
  await page.getByText(t('ghost.known_none'), { exact: true }).waitFor();
});

test('who is no administrator reads the ledger alone, and asks for nothing else', async (test) => {
  const server = await served();
  const t = texts('en');
  const person = await makePerson(server, 'reader');
  const { page, watch } = await visit(test, server);
  await enter(page, server, person);
  await page.goto(`${server.url}/p/${person.project}/chat`);
  await exact(page, 'link', t('nav.ghost')).click();
  await exact(page, 'region', t('ghost.ledger')).waitFor();
  await page.getByText(t('ghost.own_none'), { exact: true }).waitFor();
  await page.getByText(t('ghost.for_admins'), { exact: true }).waitFor();
  await page.goto(`${server.url}/p/${person.project}/ghost?result=${person.project}`);
  await page.getByText(t('ghost.for_admins'), { exact: true }).waitFor();
  assert.deepEqual(watch.requests.filter(({ path }) => path.includes('/api/v2/ghost/')), []);
});

test('a result that is not there is said to be none, and the list is one press away', async (test) => {
  const server = await served();
  const t = texts('en');
  const { page } = await visit(test, server);
  await enter(page, server, server.admin);
  await page.goto(`${server.url}/p/${server.admin.project}/ghost?result=${server.admin.project}`);
  await page.getByText(t('ghost.gone'), { exact: true }).waitFor();
  await exact(page, 'button', t('ghost.back')).click();
  await exact(page, 'region', t('ghost.ledger')).waitFor();
});
