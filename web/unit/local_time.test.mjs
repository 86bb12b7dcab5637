// Local time in a field, and the moment that it stands for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { instant, localMinute, zone } = await source('text/local_time.ts');

test('a moment becomes a field of local time and back, to the minute', () => {
  const at = Date.UTC(2026, 2, 29, 12, 34, 56);
  const local = localMinute(at);
  assert.match(local, /^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  assert.equal(instant(local), '2026-03-29T12:34:00.000Z');
  assert.equal(instant('12026-01-01T00:00'), '12026-01-01T00:00');
});

test('a zone has a name', () => {
  assert.ok(zone().length > 0);
});
