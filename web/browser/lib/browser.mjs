// A browser with a fresh profile for each test, and what nothing in it may ever do.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { endAll } from './server.mjs';

const PATIENCE_MS = 60_000;
/** As `cargo xtask test` looks for it. */
export const executablePath =
  process.env['WIIIV_CHROMIUM'] ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));
let launched = null;

after(async () => {
  endAll();
  await (await launched)?.close();
});

function browser() {
  return (launched ??= chromium.launch({ executablePath, args: ['--disable-gpu'] }));
}

/** In every page: counts what a person does, tells what the policy of the page refused. */
function instrument() {
  const tell = (kind, text) => window.__told(kind, text);
  document.addEventListener('securitypolicyviolation', (event) =>
    tell('csp', `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}`),
  );
  const pressed = (event) => event.isTrusted && tell('press', event.type);
  // A key that presses a button is a click too; one that sends a text is none.
  document.addEventListener('click', pressed, true);
  const isText = (target) => target instanceof HTMLElement && target.matches('textarea, input');
  document.addEventListener(
    'keydown',
    (event) => event.key === 'Enter' && isText(event.target) && pressed(event),
    true,
  );
}

/** What happened in one profile. */
class Watch {
  presses = 0;
  faults = [];
  requests = [];

  told(kind, text) {
    if (kind === 'press') this.presses += 1;
    else this.faults.push(`${kind}: ${text}`);
  }
}

/**
 * A page of a new profile. When the test ends: no script failed, nothing was refused by the
 * content security policy, nothing was asked from another origin, no dialog of the browser opened.
 */
export async function visit(t, server, options = {}) {
  const { language = 'en', theme = 'light', width = 1280, height = 800, others = [], signedIn = true, ...rest } = options;
  const context = await (await browser()).newContext({
    locale: language === 'ko' ? 'ko-KR' : 'en-US',
    colorScheme: theme,
    viewport: { width, height },
    reducedMotion: 'reduce',
    acceptDownloads: true,
    ...rest,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const watch = new Watch();
  await context.exposeBinding('__told', (_, kind, text) => watch.told(kind, text));
  await context.addInitScript(instrument);
  guard(context, [server, ...others].map(({ url }) => new URL(url).origin), watch);
  t.after(async () => {
    await context.close();
    assert.deepEqual(watch.faults, [], 'what no page may do');
  });
  // A demo has one user: what a test is about begins behind its link.
  const page = await context.newPage();
  for (const one of signedIn ? [server, ...others] : []) if (one.ready?.link) await enterDemo(context, one, page);
  return { page, context, watch };
}

function guard(context, origins, watch) {
  context.on('request', (request) => {
    const url = new URL(request.url());
    watch.requests.push({ method: request.method(), path: url.pathname + url.search });
    const own = origins.includes(url.origin) || ['data:', 'blob:'].includes(url.protocol);
    if (!own) watch.faults.push(`request to ${url.href}`);
  });
  context.on('weberror', (error) => watch.faults.push(`script: ${error.error()}`));
  context.on('dialog', (dialog) => {
    watch.faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/**
 * Of an account, through the API: for tests of something else than signing in. `between`: while the browser
 * has the cookie and no page has the key yet.
 */
export async function enter(page, server, { name, password }, between = null) {
  await signIn(page.context(), server, '/auth/login', { name, password, cookie: true }, { between });
}

const entering = new WeakMap();

/** One after the other: a newer link voids the one before. `page`: one that stands nowhere yet. */
export function enterDemo(context, server, page = null) {
  const enter = async () => {
    const { link } = await server.rest.post('/auth/demo/link', {});
    await signIn(context, server, '/auth/demo', { link }, { page });
  };
  const mine = (entering.get(server) ?? Promise.resolve()).then(enter, enter);
  entering.set(server, mine);
  return mine;
}

/** The cookie goes where cookies are, the page key where pages look for it. */
async function signIn(context, server, path, data, { page = null, between = null }) {
  const answer = await context.request.post(`${server.url}/api/v2${path}`, { data });
  assert.equal(answer.status(), 200, await answer.text());
  const { user, page_key: key } = await answer.json();
  await between?.();
  const keeper = page ?? (await context.newPage());
  await keeper.goto(`${server.url}/icon.svg`);
  await keeper.evaluate((kept) => localStorage.setItem('wiiiv.page', kept), JSON.stringify({ user, key }));
  if (!page) await keeper.close();
}
