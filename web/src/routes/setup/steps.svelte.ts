// How far the first run is: what the server says decides, this browser remembers the rest.

import { firstRun } from '../../state/first_run';
import { me } from '../../state/me.svelte';

export const STEPS = ['token', 'account', 'language', 'provider', 'try', 'done'] as const;
export type Step = (typeof STEPS)[number];

const SESSION = 'wiiiv.setup.session';

const isStep = (text: string | null): text is Step => STEPS.some((step) => step === text);

function stored(): Step {
  const text = firstRun.step;
  return isStep(text) && STEPS.indexOf(text) >= STEPS.indexOf('language') ? text : 'language';
}

/** `signed_out`: an administrator exists, and is not signed in here; `not_admin`: it is somebody else. */
export type Where = Step | 'signed_out' | 'not_admin';

/** Of the two steps before there is an administrator. The token is kept nowhere. */
let before = $state<'token' | 'account'>('token');
let after = $state<Step>(stored());

export const setup = {
  get where(): Where {
    if (me.info && !me.info.set_up) return before;
    if (me.person === null) return 'signed_out';
    return me.person.admin ? after : 'not_admin';
  },
};

export function goTo(step: Step): void {
  if (step === 'token' || step === 'account') {
    before = step;
    return;
  }
  after = step;
  firstRun.keep(step);
}

export function nextOf(step: Step): Step {
  return STEPS[Math.min(STEPS.indexOf(step) + 1, STEPS.length - 1)] ?? 'done';
}

/** The session of the test call, found again after a reload. */
export const trial = {
  get id(): string | null {
    return localStorage.getItem(SESSION);
  },
  keep(id: string): void {
    localStorage.setItem(SESSION, id);
  },
};

export function finish(): void {
  firstRun.end();
  localStorage.removeItem(SESSION);
  after = 'language';
}
