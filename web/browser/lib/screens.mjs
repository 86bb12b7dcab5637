// Every screen, with something to see on it: what axe reads and what is photographed.
import { readFileSync } from 'node:fs';
import { quiet } from './pages.mjs';
import { Server, startDemo, startServed } from './server.mjs';

const ROUTES = new URL('../../src/routes.ts', import.meta.url);

/** Patterns of the addresses that there are. */
export function patterns() {
  const source = readFileSync(ROUTES, 'utf8');
  const found = [...source.matchAll(/\w*oute\(\s*'([^']+)'/g)].map(([, pattern]) => pattern);
  const screens = source.match(/import\('\.\/routes\//g).length;
  if (found.length !== screens) throw new Error(`${found.length} addresses of ${screens} screens are read`);
  return found;
}

/** A demo in which something waits, ran, was refused and was denied. */
async function furnished() {
  const server = await startDemo();
  const { rest, project } = server;
  const list = await rest.question(project, 'Get the product list from skymall and save it to products.json');
  await rest.say(list.session, 'yes');
  const denied = await rest.session(project);
  await rest.say(denied, 'GET http://example.com/items and save it to x.json');
  const refused = await rest.question(project, "Write 'never' to never.md");
  await rest.post(`/approvals/${refused.approval}/reject`, { digest: refused.digest, reason: 'not today' });
  const waiting = await rest.question(project, "노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘");
  const [run] = await rest.executions(project);
  return { server, list, denied, waiting, run };
}

const byName = (page, role, name) => page.getByRole(role, { name, exact: true }).first();
const press = (role, key) => async (page, t) => byName(page, role, t(key)).click();

/**
 * `{name, pattern, server, path, act?}`; `act(page, t)` opens what the address alone does not.
 * `signedIn` is false where nobody is.
 */
export async function screens() {
  const { server, list, denied, waiting, run } = await furnished();
  const served = await startServed();
  const bare = await new Server('serve').start();
  const p = `/p/${server.project}`;
  const at = (name, pattern, path, act) => ({ name, pattern, path, act, server, signedIn: true });
  const chat = '/p/:project/chat/:session?';
  const yes = press('button', 'chat.yes');
  return [
    { name: 'setup', pattern: '/setup', path: '/setup', server: bare, signedIn: false },
    { name: 'sign-in', pattern: '/sign-in', path: '/sign-in', server: served, signedIn: false },
    at('chat-start', chat, `${p}/chat`),
    at('chat-run', chat, `${p}/chat/${list.session}`),
    at('chat-question', chat, `${p}/chat/${waiting.session}`),
    at('chat-second-yes', chat, `${p}/chat/${waiting.session}`, yes),
    at('chat-reasons', chat, `${p}/chat/${denied}`, async (page, t) => {
      const strip = page.getByRole('group', { name: t('decision.strip') });
      await strip.getByRole('button').last().click();
      await page.getByRole('dialog').waitFor();
    }),
    at('account', chat, `${p}/chat`, async (page, t) => {
      const account = page.getByRole('button', { name: t('app.account') });
      // In a small window it stands in the drawer.
      if (!(await account.isVisible())) await byName(page, 'button', t('app.menu')).click();
      await account.click();
    }),
    at('approvals', '/approvals/:id?', '/approvals'),
    at('approvals-none', '/approvals/:id?', '/approvals?state=expired'),
    at('approval', '/approvals/:id?', `/approvals/${waiting.approval}`),
    at('approval-reject', '/approvals/:id?', `/approvals/${waiting.approval}`, press('button', 'inbox.reject')),
    at('approval-done', '/approvals/:id?', `/approvals/${list.approval}?state=any`),
    at('why', '/p/:project/why/:blueprint', `${p}/why/${list.blueprint}`),
    at('executions', '/p/:project/executions', `${p}/executions`),
    at('execution', '/p/:project/executions/:id', `${p}/executions/${run.id}`),
    at('audit', '/p/:project/audit', `${p}/audit`),
    at('policy', '/p/:project/policy', `${p}/policy`),
    at('policy-form', '/p/:project/policy', `${p}/policy?view=edit`),
    at('policy-versions', '/p/:project/policy', `${p}/policy?view=versions`),
    at('systems', '/p/:project/systems/:name?', `${p}/systems`),
    at('system', '/p/:project/systems/:name?', `${p}/systems/skymall`),
    at('not-found', null, '/no-such-address'),
  ];
}

/** Goes there and waits until it stands. */
export async function show(page, screen, t) {
  await page.goto(screen.server.url + screen.path, { waitUntil: 'domcontentloaded' });
  await page.getByRole('main').waitFor();
  await quiet(page);
  if (screen.act) {
    await screen.act(page, t);
    await quiet(page);
  }
}
