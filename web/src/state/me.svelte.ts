// Who is signed in, and to what server.

import { ApiProblem, api, ask, session, type Schemas } from '../api/client';
import { go, here } from '../router.svelte';

export type Me = Schemas['Me'];
export type Info = Schemas['Info'];

/** Somebody who signed out of the demo is not signed in again at once. */
const LEFT = 'wiiiv.left';

let person = $state.raw<Me | null>(null);
let info = $state.raw<Info | null>(null);
let problem = $state.raw<ApiProblem | null>(null);
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
  /** It is known whether somebody is signed in. */
  get ready(): boolean {
    return ready;
  },
};

export async function start(): Promise<void> {
  session.whenSignedOut(() => signedOut());
  session.whenStale(sameStill);
  try {
    info = await ask(api.GET('/info'));
    if (info.set_up) {
      await whoAmI();
      if (person === null && info.demo && sessionStorage.getItem(LEFT) === null) await enterDemo();
    }
    problem = null;
  } catch (error) {
    problem = ApiProblem.of(error);
  } finally {
    ready = true;
  }
}

async function whoAmI(): Promise<void> {
  const { data, error, response } = await api.GET('/auth/me');
  if (data) {
    session.remember(data.csrf);
    person = data;
  } else if (response.status !== 401) {
    throw ApiProblem.ofBody(error, response.status);
  }
}

/** Signed in anew in another window: the page goes on, unless it is somebody else's now. */
async function sameStill(): Promise<boolean> {
  const { data } = await api.GET('/auth/me');
  if (!data) return false;
  if (data.user === person?.user) {
    session.remember(data.csrf);
    return true;
  }
  forgetWords();
  location.assign('/');
  // Nothing of what was begun here goes on.
  return new Promise(() => undefined);
}

export async function signIn(name: string, password: string): Promise<void> {
  const answer = await ask(api.POST('/auth/login', { body: { name, password, cookie: true } }));
  entered(answer);
}

export async function enterDemo(): Promise<void> {
  entered(await ask(api.POST('/auth/demo')));
}

function entered(answer: Schemas['LoggedIn']): void {
  sessionStorage.removeItem(LEFT);
  session.remember(answer.csrf);
  const { user, name, admin, personal_project, csrf } = answer;
  person = { user, name, admin, personal_project: personal_project ?? null, csrf: csrf ?? null };
}

/** After `/setup` made the first person. */
export async function refreshInfo(): Promise<void> {
  info = await ask(api.GET('/info'));
}

export async function signOut(): Promise<void> {
  await ask(api.POST('/auth/logout'));
  forgetWords();
  sessionStorage.setItem(LEFT, 'yes');
  person = null;
  session.remember(null);
  go('/sign-in');
}

const WORDS = ['wiiiv.draft.', 'wiiiv.outbox.', 'wiiiv.policy.'];

/** What one person typed is not found by the next. */
function forgetWords(): void {
  for (const place of Object.keys(sessionStorage)) {
    if (WORDS.some((kind) => place.startsWith(kind))) sessionStorage.removeItem(place);
  }
}

/** The server no longer knows this browser. */
function signedOut(): void {
  if (person === null) return;
  person = null;
  session.remember(null);
  go(`/sign-in?next=${encodeURIComponent(here())}`);
}
