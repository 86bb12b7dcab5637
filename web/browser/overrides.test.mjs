// Another policy for a while: proposed in the review, approved by somebody else, told on every page, ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './lib/axe.mjs';
import { enter, visit } from './lib/browser.mjs';
import { makeMember, shared, startServed } from './lib/server.mjs';
import { LANGUAGES, texts } from './lib/texts.mjs';

const served = shared(startServed);

/** What a person sees of it. */
class Overrides {
  constructor(page, language, reason) {
    this.page = page;
    this.say = texts(language);
    this.card = page.getByRole('article').filter({ hasText: reason });
    this.banner = page.getByRole('region', { name: this.say('override.notice'), exact: true });
  }

  static async of(test, server, person, language, reason) {
    const { page } = await visit(test, server, { language });
    await enter(page, server, person);
    return new Overrides(page, language, reason);
  }

  async open(server, view = 'overrides') {
    await this.page.goto(`${server.url}/p/${server.admin.project}/policy?view=${view}`);
  }

  /** One step less, for an hour. */
  async propose(server, reason) {
    const { page, say } = this;
    await this.open(server, 'edit');
    const steps = page.getByRole('group', { name: say('policy.steps'), exact: true });
    await steps.getByRole('checkbox', { name: say('step.TRANSFORM') }).uncheck();
    await page.getByRole('button', { name: say('policy.review'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say('policy.review') });
    await dialog.getByRole('radio', { name: say('overrides.for_a_while'), exact: true }).check();
    await dialog.getByRole('textbox', { name: say('policy.why') }).fill(reason);
    assert.deepEqual(await faults(page), []);
    await dialog.getByRole('button', { name: say('overrides.propose'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  button(key) {
    return this.card.getByRole('button', { name: this.say(key), exact: true });
  }

  async is(key) {
    await this.card.getByText(this.say(key), { exact: true }).waitFor();
  }

  /** It is said to who hears the page too, in the same words. */
  async told(key) {
    await this.banner.getByText(this.say(key), { exact: true }).last().waitFor();
  }
}

test('a card is read anew where somebody else was faster', async (test) => {
  const server = await served();
  const { admin } = server;
  const reason = 'the early shift';
  const [one, two] = [await makeMember(server, 'slow', 'approver'), await makeMember(server, 'fast', 'approver')];
  const { id } = await admin.rest.proposeOverride(admin.project, reason, (policy) => policy.allowedPaths.push('early'));
  const slow = await Overrides.of(test, server, one, 'en', reason);
  await slow.open(server);
  await slow.button('overrides.approve').waitFor();
  await two.rest.post(`/projects/${admin.project}/overrides/${id}/approve`, {});
  await slow.button('overrides.approve').click();
  await slow.card.getByRole('alert').waitFor();
  await slow.is('override_state.running');
  assert.equal(await slow.button('overrides.approve').count(), 0, 'no live button');
  await admin.rest.post(`/projects/${admin.project}/overrides/${id}/end`, { reason: 'over' });
});

for (const language of LANGUAGES) {
  test(`a policy for a while takes two people, is told on every page, and ends (${language})`, async (test) => {
    const server = await served();
    const { admin } = server;
    const min = await makeMember(server, `min-${language}`, 'approver');
    const inForce = () => admin.rest.get(`/projects/${admin.project}/policy`);
    const before = await inForce();
    const reason = `the night shift (${language})`;

    const own = await Overrides.of(test, server, admin, language, reason);
    await own.propose(server, reason);
    await own.is('override_state.waiting');
    await own.is('overrides.own');
    assert.equal(await own.button('overrides.approve').count(), 0, 'nobody approves their own');
    await own.told('override.waits');
    assert.deepEqual(await faults(own.page), []);
    assert.equal((await inForce()).id, before.id, 'one person puts nothing in force');

    const other = await Overrides.of(test, server, min, language, reason);
    await other.open(server);
    await other.card.getByText(other.say('step.TRANSFORM'), { exact: true }).waitFor();
    await other.card.getByRole('heading', { name: other.say('impact.title', { days: 30 }) }).waitFor();
    await other.button('overrides.approve').click();
    await other.is('override_state.running');
    await other.told('override.runs');
    await other.banner.getByText(reason, { exact: true }).waitFor();
    assert.deepEqual(await faults(other.page), []);
    const running = await inForce();
    assert.deepEqual([running.number, running.override.temporary], [before.number + 1, true]);
    assert.ok(!running.policy.allowedStepTypes.includes('TRANSFORM'));

    await own.page.goto(`${server.url}/p/${admin.project}/usage`);
    await own.banner.getByText(reason, { exact: true }).waitFor();
    await own.open(server);
    await own.page.getByText(own.say('overrides.no_edit'), { exact: true }).waitFor();
    await own.button('overrides.end').click();
    await own.card.getByRole('textbox', { name: own.say('overrides.end_reason') }).fill('done early');
    await own.button('overrides.end').click();
    await own.is('override_end.ended');
    await own.card.getByText('done early', { exact: true }).waitFor();
    await own.banner.waitFor({ state: 'detached' });
    const after = await inForce();
    assert.deepEqual([after.number, after.override.temporary], [before.number + 2, false]);
    assert.deepEqual(after.policy, before.policy);
  });
}
