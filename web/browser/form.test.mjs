// A request that lacks what its operation's schema requires is asked for by one form, and sent as shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { Chat } from './lib/pages.mjs';
import { eventually } from './lib/rest.mjs';
import { json, Service } from './lib/service.mjs';
import { shared, startDemo } from './lib/server.mjs';
import { texts } from './lib/texts.mjs';

const demo = shared(startDemo);
const t = texts('en');

const EMPLOYEE = {
  type: 'object',
  required: ['name', 'team'],
  properties: { name: { type: 'string' }, team: { enum: ['Ops', 'Sales'], type: 'string' }, age: { type: 'integer' } },
};

/** A personnel service: keeps what it was sent. */
async function personnel(server) {
  const sent = [];
  const take = (request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      sent.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
      json(response, { id: 7 });
    });
  };
  const there = await new Service({ '/employees': take }).start();
  await server.rest.changePolicy(server.project, (policy) => there.allow(policy));
  const operation = { id: 'createEmployee', method: 'POST', path: '/employees', labels: ['Create an employee'] };
  const system = { baseUrl: there.url, operations: [{ ...operation, body: { required: true, schema: EMPLOYEE } }] };
  await server.rest.call('PUT', `/projects/${server.project}/systems/hr`, system);
  return sent;
}

test('an edit of a system keeps what its form does not show', async (test) => {
  const server = await demo();
  const path = `/projects/${server.project}/systems/staff`;
  const body = { required: true, mediaType: 'application/json', schema: EMPLOYEE };
  const operation = { id: 'hire', method: 'POST', path: '/employees', labels: ['Hire'], body };
  await server.rest.call('PUT', path, { baseUrl: 'http://127.0.0.1:9', operations: [operation] });
  const before = (await server.rest.get(path)).system;
  assert.deepEqual(before.operations[0].body, body);
  const { page } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/systems/staff`);
  await page.getByRole('button', { name: t('systems.edit'), exact: true }).click();
  await page.getByRole('textbox', { name: t('systems.aliases_en'), exact: true }).fill('personnel');
  await page.getByRole('button', { name: t('systems.save'), exact: true }).click();
  await page.getByText(t('systems.saved')).first().waitFor();
  const after = (await server.rest.get(path)).system;
  assert.deepEqual(after.operations, before.operations);
  assert.deepEqual(after.aliases, ['personnel']);
});

test('what a request lacks is filled in by one form, shown, and sent as it was shown', async (test) => {
  const server = await demo();
  const sent = await personnel(server);
  const { page } = await visit(test, server);
  const chat = new Chat(page);
  await chat.open(server, server.project);
  await chat.say('Create an employee in hr named Choi in team Ops');
  const form = chat.log.getByRole('form', { name: t('form.title', { operation: 'createEmployee', system: 'hr' }) });
  await form.waitFor();
  assert.equal(await chat.button('chat.yes').count(), 0, 'no plan without its body');
  const send = form.getByRole('button', { name: t('form.send'), exact: true });
  await send.click();
  await form.getByText(t('form.needed')).first().waitFor();
  await form.getByRole('textbox', { name: 'name', exact: true }).fill('Choi');
  await form.getByRole('combobox', { name: 'team', exact: true }).selectOption('Ops');
  await send.click();
  const card = chat.log.getByRole('article').filter({ has: chat.button('chat.yes') }).last();
  await card.getByText('"name":"Choi"').waitFor();
  await card.getByText('"team":"Ops"').waitFor();
  assert.equal(sent.length, 0);
  await chat.approve();
  await eventually(() => sent.length > 0, 'the request');
  assert.deepEqual(sent, [{ name: 'Choi', team: 'Ops' }]);
  await chat.log.getByText('HTTP 200', { exact: true }).waitFor();
  assert.equal(await form.count(), 0, 'a form that was answered asks no more');
});
