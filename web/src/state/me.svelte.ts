// Who is signed in, and to what server.

import { ApiProblem, api, ask, session, type Schemas } from '../api/client';
import { device, pageKey, type PageKey } from '../api/page_key';
import { go, here } from '../router.svelte';

export type Me = Schemas['Me'];
export type Info = Schemas['Info'];

/** Behind it, in the part of an address that is sent nowhere, stands the secret of a link into the demo. */
const LINK = '#demo=';

let person = $state.raw<Me | null>(null);
let info = $state.raw<Info | null>(null);
let problem = $state.raw<ApiProblem | null>(null);
let refusal = $state.raw<ApiProblem | null>(null);
let key: string | null = null;
/** The newest key that the server refused. */
let refused: string | null = null;
/** Whose page it was when the server no longer knew this browser. */
let former: string | null = null;
let ready = $state(false);

export const me = {
  get person(): Me | null {
    return person;
  },
  get info(): Info | null {
    return info;
  },
  get problem(): ApiProblem | null {
    return problem;
  },
  /** Why a link into the demo led nowhere. */
  get refusal(): ApiProblem | null {
    return refusal;
  },
  /** It is known whether somebody is signed in. */
  get ready(): boolean {
    return ready;
  },
};

export async function start(): Promise<void> {
  session.whenSignedOut(() => {
    // By now the page may have the key of a newer sign-in.
    if (key === refused) signedOut();
  });
  session.whenStale(sameStill);
  const link = takeLink();
  try {
    info = await ask(api.GET('/info'));
    if (info.set_up) {
      if (link !== null && info.demo) await enterDemo(link).catch((error: unknown) => (refusal = ApiProblem.of(error)));
      if (person === null) await whoAmI();
    }
    problem = null;
  } catch (error) {
    problem = ApiProblem.of(error);
  } finally {
    ready = true;
  }
}

/** It is gone from the address before anything else happens. */
function takeLink(): string | null {
  if (!location.hash.startsWith(LINK)) return null;
  const link = location.hash.slice(LINK.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return link;
}

/** Other tabs sign in and out too; and a link may be opened where a page stands already. */
export function watchOthers(): void {
  pageKey.whenChanged((now) => {
    const user = person?.user ?? former;
    if (user === null) return;
    if (now === null) signedOut();
    else if (now.user !== user) leave();
    else if (person !== null) hold(now.key);
    // Back to where the address of the sign-in leads.
    else location.reload();
  });
  window.addEventListener('hashchange', () => {
    if (location.hash.startsWith(LINK)) location.reload();
  });
}

function hold(fresh: string | null): void {
  key = fresh;
  session.remember(fresh);
}

async function whoAmI(): Promise<void> {
  const kept = pageKey.kept();
  if (kept === null) return;
  hold(kept.key);
  const { data, error, response } = await api.GET('/auth/me');
  if (data) {
    person = data;
  } else if (response.status === 401) {
    drop(kept);
  } else {
    throw ApiProblem.ofBody(error, response.status);
  }
}

function drop(kept: PageKey): void {
  pageKey.forget(kept.key);
  hold(null);
}

/** Signed in anew in another tab: the page goes on, unless it is somebody else's now. */
async function sameStill(): Promise<boolean> {
  const kept = pageKey.kept();
  if (kept === null || kept.key === key) {
    refused = key;
    return false;
  }
  if (person !== null && kept.user !== person.user) {
    leave();
    // Nothing of what was begun here goes on.
    return new Promise(() => undefined);
  }
  hold(kept.key);
  return true;
}

/** Somebody else is signed in: the page begins anew. */
function leave(): void {
  forgetWords();
  location.assign('/');
}

export async function signIn(name: string, password: string): Promise<void> {
  const body = { name, password, cookie: true, device: device.known() };
  const answer = await ask(api.POST('/auth/login', { body }));
  device.keep(answer.device);
  entered(answer);
}

async function enterDemo(link: string): Promise<void> {
  entered(await ask(api.POST('/auth/demo', { body: { link } })));
}

function entered(answer: Schemas['LoggedIn']): void {
  const { user, name, admin, personal_project, page_key } = answer;
  if (page_key) pageKey.keep({ user, key: page_key });
  hold(page_key ?? null);
  refusal = null;
  former = null;
  person = { user, name, admin, personal_project: personal_project ?? null };
}

/** After `/setup` made the first person. */
export async function refreshInfo(): Promise<void> {
  info = await ask(api.GET('/info'));
}

export async function signOut(): Promise<void> {
  await ask(api.POST('/auth/logout'));
  forgetWords();
  forgetKey();
  person = null;
  go('/sign-in');
}

function forgetKey(): void {
  if (key !== null) pageKey.forget(key);
  hold(null);
}

const WORDS = ['wiiiv.draft.', 'wiiiv.outbox.', 'wiiiv.policy.', 'wiiiv.memory.'];

/** What one person typed is not found by the next. */
function forgetWords(): void {
  for (const place of Object.keys(sessionStorage)) {
    if (WORDS.some((kind) => place.startsWith(kind))) sessionStorage.removeItem(place);
  }
}

/** The server no longer knows this browser. */
function signedOut(): void {
  if (person === null) return;
  forgetKey();
  former = person.user;
  person = null;
  go(`/sign-in?next=${encodeURIComponent(here())}`);
}
