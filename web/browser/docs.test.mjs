// The API reference: from this server alone, loaded nowhere else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { shared, startDemo } from './lib/server.mjs';

const demo = shared(startDemo);
const VIEWER = /swagger-ui/;

test('/docs shows every operation, and no other screen loads its viewer', async (test) => {
  const server = await demo();
  const { page, watch } = await visit(test, server);
  await page.goto(`${server.url}/p/${server.project}/policy`);
  await page.getByRole('main').waitFor();
  assert.ok(!watch.requests.some(({ path }) => VIEWER.test(path)));
  await page.goto(`${server.url}/docs`);
  await page.locator('.opblock-tag').first().waitFor();
  assert.ok(watch.requests.some(({ path }) => VIEWER.test(path)));
  const { paths } = await server.rest.get('/openapi.json');
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags: of }) => of ?? [])));
  assert.equal(await page.locator('.opblock-tag').count(), tags.size);
});
