// What the form of a system sends: nothing of what was read is lost, also where no field shows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { bodyOf, fieldsOf, newLine } = await source('routes/systems/fields.ts');

const OPERATION = {
  id: 'createEmployee',
  method: 'POST',
  path: '/teams/{team}/employees',
  labels: ['Create an employee, with a team', '직원 등록', 'hire'],
  reads: false,
  idempotent: false,
  parameters: [
    { name: 'notify', in: 'query', required: true },
    { name: 'team', in: 'path', required: true },
  ],
  fields: [{ name: 'id', kind: 'integer' }],
  body: {
    required: true,
    mediaType: 'application/vnd.hr+json',
    schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  },
};
const HR = {
  version: 1,
  name: 'hr',
  aliases: ['personnel', '인사', 'people'],
  baseUrl: { scheme: 'http', host: '127.0.0.1', port: 8080, segments: ['api'] },
  operations: [OPERATION],
  authentication: { kind: 'none' },
  risk: 'MEDIUM',
};
const sentAfter = (change) => {
  const fields = fieldsOf(structuredClone(HR));
  change(fields);
  return bodyOf(fields);
};

test('what was read is sent as it was read, with what no field shows', () => {
  const sent = sentAfter(() => undefined);
  assert.deepEqual(sent.operations, [OPERATION]);
  assert.deepEqual(sent.aliases, HR.aliases);
  assert.equal(sent.baseUrl, 'http://127.0.0.1:8080/api');
});

test('another kind of authentication leaves the bodies alone', () => {
  const sent = sentAfter((fields) => Object.assign(fields, { kind: 'api_key', header: 'X-Key' }));
  assert.deepEqual(sent.operations, [OPERATION]);
  assert.deepEqual(sent.authentication, { kind: 'api_key', header: 'X-Key' });
});

test('what is typed is sent, and the body stays beside it', () => {
  const [operation] = sentAfter(({ lines: [line] }) => Object.assign(line, { id: 'hire', path: '/employees', query: 'dryRun', en: 'hire' })).operations;
  assert.deepEqual(operation.labels, ['직원 등록', 'hire']);
  assert.deepEqual(operation.parameters, [{ name: 'dryRun', in: 'query', required: false }]);
  assert.deepEqual([operation.id, operation.path], ['hire', '/employees']);
  assert.deepEqual([operation.body, operation.fields], [OPERATION.body, OPERATION.fields]);
});

test('a GET takes no body, and a new line has none', () => {
  const sent = sentAfter((fields) => {
    fields.lines[0].method = 'GET';
    fields.lines.push({ ...newLine(), id: 'list' });
  });
  assert.deepEqual(sent.operations.map((operation) => 'body' in operation), [false, false]);
});

test('the switch for any path is off until it is set, and without a credential', () => {
  assert.equal(sentAfter(() => undefined).anyPath, false);
  const keyed = { kind: 'bearer' };
  assert.equal(sentAfter((fields) => Object.assign(fields, keyed)).anyPath, false);
  assert.equal(sentAfter((fields) => Object.assign(fields, keyed, { anyPath: true })).anyPath, true);
  const read = fieldsOf({ ...structuredClone(HR), authentication: keyed, anyPath: true });
  assert.equal(bodyOf(read).anyPath, true);
  assert.equal(bodyOf({ ...read, kind: 'none' }).anyPath, false);
});
