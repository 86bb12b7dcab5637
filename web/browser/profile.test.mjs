// What one told of oneself: by a form, asked about where it concerns safety, undone, exported and erased.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { enter, visit } from './lib/browser.mjs';
import { makeMember, makePerson, shared, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const served = shared(startServed);
/** What slots are called in `config/profiles/medical.toml`. */
const LABELS = {
  en: { age: 'Age', allergies: 'Allergies', weight: 'Weight' },
  ko: { age: '나이', allergies: '알레르기', weight: '체중' },
};

/** The screen of a page. */
class Profile {
  constructor(page, language) {
    this.page = page;
    this.t = texts(language);
    this.labels = LABELS[language];
  }

  async open(server, project) {
    await this.page.goto(`${server.url}/p/${project}/profile`);
    await this.page.getByRole('heading', { name: this.t('nav.profile'), level: 1 }).waitFor();
  }

  slot(name) {
    return this.page.getByRole('region', { name: this.labels[name], exact: true });
  }

  /** A slot that holds nothing is folded. */
  async unfold(name) {
    const slot = this.slot(name);
    await slot.waitFor();
    const field = slot.getByLabel(this.t('profile.value_of', { slot: this.labels[name] }));
    if (!(await field.isVisible())) await slot.locator('summary').click();
    return field;
  }

  async add(name, value, day = null) {
    const slot = this.slot(name);
    await this.unfold(name);
    await slot.getByRole('textbox', { name: this.t('profile.value_of', { slot: this.labels[name] }) }).fill(value);
    if (day) await slot.getByLabel(this.t('profile.day_of', { slot: this.labels[name] })).fill(day);
    await slot.getByRole('button', { name: this.t('profile.add_to', { slot: this.labels[name] }), exact: true }).click();
  }

  button(key, values = {}) {
    return this.page.getByRole('button', { name: this.t(key, values), exact: true });
  }

  get history() {
    return this.page.getByRole('region', { name: this.t('history.title'), exact: true });
  }

  get waits() {
    return this.page.getByRole('region', { name: this.t('profile.waits'), exact: true });
  }
}

const switchOn = ({ rest, project }) =>
  rest.changePolicy(project, (policy) => {
    policy.profileSchema = 'medical';
  });
const read = ({ rest, project }) => rest.get(`/projects/${project}/profile`);
const valuesOf = (view, name) => view.slots.find((slot) => slot.name === name).values.map(({ value }) => value);

/** The fields of a slot and its button stand beside each other, whatever is below them. */
async function aligned(slot) {
  const tops = [];
  for (const part of await slot.locator('form :is(input, button)').all()) tops.push((await part.boundingBox()).y);
  assert.ok(tops.length > 2 && Math.max(...tops) - Math.min(...tops) <= 6, tops.join());
}

async function entered(test, server, who, language) {
  const visited = await visit(test, server, { language });
  await enter(visited.page, server, who);
  return new Profile(visited.page, language);
}

for (const language of LANGUAGES) {
  test(`values are told, shown, undone, taken along and erased (${language})`, async (test) => {
    const server = await served();
    const who = await makePerson(server, `told-${language}`);
    const profile = await entered(test, server, who, language);
    const { page, t } = profile;
    await profile.open(server, who.project);
    await page.getByText(t('profile.off'), { exact: true }).waitFor();
    await switchOn(who);
    await page.reload();
    await profile.add('age', '35');
    await profile.slot('age').getByText('35', { exact: true }).waitFor();
    await profile.add('weight', '70', '2026-01-02');
    await profile.slot('weight').getByText('70 (2026-01-02 – )', { exact: true }).waitFor();
    // Saved one after the other: under one heading, with each version below it.
    const sitting = profile.history.getByRole('listitem').first();
    await sitting.getByText(t('history.versions', { first: 1, last: 2 }), { exact: true }).waitFor();
    assert.equal(await sitting.getByText(who.name, { exact: true }).count(), 1);
    for (const number of [1, 2]) await sitting.getByText(t('policy.version', { number }), { exact: true }).waitFor();
    assert.deepEqual(await faults(page), []);
    await aligned(profile.slot('weight'));
    await page.reload();
    const filled = page.getByRole('main').getByRole('heading', { level: 2 });
    await filled.filter({ hasText: profile.labels.weight }).waitFor();
    assert.deepEqual((await filled.allTextContents()).slice(0, 2).toSorted(), [profile.labels.age, profile.labels.weight].toSorted());
    assert.ok(await profile.slot('age').getByText('35', { exact: true }).isVisible(), 'what is filled is open');
    const empty = profile.slot('allergies').getByRole('textbox');
    assert.equal(await empty.count(), 0, 'what is empty is folded');

    await profile.add('age', '36');
    await profile.slot('age').getByText('36', { exact: true }).waitFor();
    await profile.button('profile.undo').click();
    await profile.slot('age').getByText('35', { exact: true }).waitFor();
    const newest = profile.history.getByRole('listitem').first();
    await newest.getByText(t('profile_how.restored'), { exact: true }).waitFor();
    await profile.button('profile.back_to', { number: 1 }).click();
    await profile.slot('weight').getByText('70 (2026-01-02 – )', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(valuesOf(await read(who), 'age'), ['35']);

    const [file] = await Promise.all([page.waitForEvent('download'), profile.button('profile.export').click()]);
    assert.deepEqual(valuesOf(JSON.parse(await readFile(await file.path(), 'utf8')), 'age'), ['35']);
    await profile.button('profile.erase').click();
    await profile.button('profile.erase_do').click();
    await profile.slot('age').getByText('35', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(valuesOf(await read(who), 'age'), []);
  });

  test(`what concerns safety is kept only with a yes (${language})`, async (test) => {
    const server = await served();
    const who = await makePerson(server, `safe-${language}`);
    await switchOn(who);
    const profile = await entered(test, server, who, language);
    const { page, t, labels } = profile;
    await profile.open(server, who.project);
    const first = page.getByRole('main').getByRole('heading', { level: 2 }).first();
    await first.getByText(labels.allergies, { exact: true }).waitFor();
    await profile.slot('allergies').getByText(t('profile.safety'), { exact: true }).waitFor();
    for (const [value, answer] of [['penicillin', 'accept'], ['nuts', 'drop'], [language === 'ko' ? '없음' : 'none', 'drop']]) {
      await profile.add('allergies', value);
      await profile.waits.getByText(value, { exact: true }).waitFor();
      assert.deepEqual(await faults(page), []);
      const what = `${labels.allergies}: ${t('profile_op.set')} ${value}`;
      if (value === '없음' || value === 'none') {
        await profile.waits.getByText(t('profile.contradicts', { values: 'penicillin' }), { exact: true }).waitFor();
      }
      await profile.button(`profile.${answer}_what`, { what }).click();
      await profile.waits.waitFor({ state: 'detached' });
    }
    assert.deepEqual(valuesOf(await read(who), 'allergies'), ['penicillin']);
  });
}

test('a colleague who only looks has a page without a form, and sees nothing of another', async (test) => {
  const server = await served();
  await switchOn(server.admin);
  await server.admin.rest.call(
    'PUT',
    `/projects/${server.admin.project}/profile`,
    { changes: [{ slot: 'symptoms', op: 'set', value: 'CANARY cough' }] },
    { 'If-Match': '"0"' },
  );
  const viewer = await makeMember(server, 'looks', 'viewer');
  const profile = await entered(test, server, viewer, 'en');
  await profile.open(server, server.admin.project);
  await profile.page.getByText(profile.t('profile.read_only'), { exact: true }).waitFor();
  await profile.unfold('age');
  assert.ok(await profile.button('profile.add_to', { slot: 'Age' }).isDisabled());
  assert.equal(await profile.page.getByText('CANARY').count(), 0);
  assert.deepEqual(await faults(profile.page), []);
});

test('an answer that comes late is not put under the project that was gone to', async (test) => {
  const server = await served();
  const who = await makePerson(server, 'moves');
  const { id: other } = await who.rest.post('/projects', { name: 'Other' });
  await switchOn(who);
  await switchOn({ ...who, project: other });
  const profile = await entered(test, server, who, 'en');
  const { page, t } = profile;
  await profile.open(server, who.project);
  await profile.unfold('age');
  // Told elsewhere meanwhile: what the page sends is refused, and it would read anew.
  const changes = [{ slot: 'age', op: 'set', value: '34' }];
  await who.rest.call('PUT', `/projects/${who.project}/profile`, { changes }, { 'If-Match': '"0"' });
  let letGo;
  const gone = new Promise((resolve) => (letGo = resolve));
  await page.route(`**/projects/${who.project}/profile`, async (route) => {
    if (route.request().method() === 'PUT') await gone;
    await route.fallback();
  });
  await profile.add('age', '35');
  await page.getByRole('combobox', { name: t('app.project') }).selectOption(other);
  await page.waitForURL(`**/p/${other}/profile`);
  await profile.history.getByText(t('profile.none'), { exact: true }).waitFor();
  letGo();
  // A field is open again once the answer was looked at.
  await (await profile.unfold('age')).fill('36');
  assert.equal(await page.getByText('34', { exact: true }).count(), 0);
});
