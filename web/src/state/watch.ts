// Follows what waits for a person. One page of this browser holds the stream and tells the others,
// because a browser has six connections for all of them.

import { follow } from '../api/stream';
import { countWaiting, learn } from './approvals.svelte';

const CHANNEL = 'wiiiv.waiting';
/** Where a browser shares no lock, each page looks for itself. */
const EVERY_MS = 15_000;

/** Follows what waits; ends with the returned function. */
export function watchWaiting(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (Array.isArray(data)) learn(data.map(String));
  };
  void countWaiting();
  if ('locks' in navigator) {
    // Whoever has the lock follows; the next page takes it over where that one is closed.
    navigator.locks.request(CHANNEL, { signal }, () => listen(channel, signal)).catch(() => undefined);
  } else lookNowAndThen(signal);
  return () => {
    stop.abort();
    channel.close();
  };
}

function listen(channel: BroadcastChannel, signal: AbortSignal): Promise<void> {
  let known: readonly string[] | null = null;
  let late: readonly string[] = [];
  return follow({
    path: '/approvals/events',
    lastId: () => null,
    onEvent: ({ name, data }) => {
      if (name !== 'waiting') return;
      const { approvals, escalated } = JSON.parse(data) as { approvals: string[]; escalated: string[] };
      const [before, lateBefore] = [known, late];
      known = approvals;
      late = escalated;
      learn(approvals);
      channel.postMessage(approvals);
      // What waited already when the page came is no news.
      const fresh = approvals.filter((id) => before !== null && !before.includes(id));
      if (fresh.length > 0) void import('./notify.svelte').then(({ notifyOf }) => notifyOf(fresh));
      const overdue = escalated.filter((id) => before !== null && !fresh.includes(id) && !lateBefore.includes(id));
      if (overdue.length > 0) void import('./notify.svelte').then(({ notifyOf }) => notifyOf(overdue, true));
    },
    onState: () => undefined,
    onEnd: () => undefined,
    signal,
  });
}

function lookNowAndThen(signal: AbortSignal): void {
  const look = (): void => {
    if (document.visibilityState === 'visible') void countWaiting();
  };
  const timer = setInterval(look, EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  document.addEventListener('visibilitychange', look, { signal });
}
