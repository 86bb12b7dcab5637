// Notifications on the desktop for new questions: where a person allowed them, while the page is
// not looked at.

import { api, ask } from '../api/client';
import { go } from '../router.svelte';
import { local, t } from './language.svelte';
import { me } from './me.svelte';

const STORED = 'wiiiv.notify';
/** More at once are told together. */
const EACH_MAX = 3;

const isKnown = 'Notification' in globalThis;
const stored = (): boolean => isKnown && Notification.permission === 'granted' && localStorage.getItem(STORED) === 'on';
let isOn = $state(stored());

// One page notifies for all: it may have been turned on or off in another.
addEventListener('storage', ({ key }) => {
  if (key === STORED) isOn = stored();
});

export const notifications = {
  /** `false` where this browser has none, or the person said no. */
  get canBe(): boolean {
    return isKnown && Notification.permission !== 'denied';
  },
  get isOn(): boolean {
    return isOn;
  },
};

export async function useNotifications(wanted: boolean): Promise<void> {
  const allowed = wanted && isKnown && (await Notification.requestPermission()) === 'granted';
  isOn = allowed;
  localStorage.setItem(STORED, allowed ? 'on' : 'off');
}

/** `isLate`: nobody has answered them for a while. */
export async function notifyOf(approvals: readonly string[], isLate = false): Promise<void> {
  if (!isOn || approvals.length === 0 || document.visibilityState === 'visible') return;
  if (approvals.length > EACH_MAX) {
    show(t('app.waiting', { count: approvals.length }), '', '/approvals');
    return;
  }
  for (const id of approvals) {
    const question = await ask(api.GET('/approvals/{id}', { params: { path: { id } } })).catch(() => null);
    // What one asked oneself is in front of one's eyes.
    if (question === null || question.requester === me.person?.user) continue;
    const title = t(isLate ? 'app.notify_late' : 'app.notify_title', { who: question.requester_name });
    show(title, local(question.title), `/approvals/${id}`);
  }
}

function show(title: string, body: string, to: string): void {
  const told = new Notification(title, { body, tag: to });
  told.onclick = () => {
    window.focus();
    go(to);
    told.close();
  };
}
