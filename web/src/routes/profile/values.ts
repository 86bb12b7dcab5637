// What the page shows of values: a line each, and which slots take a day.

interface Line {
  value: string;
  from?: string | null;
  until?: string | null;
}

/** A value with its days: `70 (2026-01-02 – )`. */
export function lineOf({ value, from, until }: Line): string {
  return from || until ? `${value} (${from ?? ''} – ${until ?? ''})` : value;
}

/** Policies of which a value has a day. */
const TIMED: ReadonlySet<string> = new Set(['time_based', 'latest_with_series', 'decay']);

export function takesDay(policy: string): boolean {
  return TIMED.has(policy);
}

/** The change that a form makes; `null`: there is nothing to send. */
export function editOf(slot: string, typed: string, day: string): { slot: string; op: 'set'; value: string; day: string | null } | null {
  const value = typed.normalize('NFC').trim();
  return value === '' ? null : { slot, op: 'set', value, day: day === '' ? null : day };
}

const DAY_CHARS = 10;

/** The change that takes one row away: of equal values the one of its day, or of the day that it was told. */
export function removalOf(
  { name, policy }: { name: string; policy: string },
  { value, from, at }: { value: string; from?: string | null; at: string },
): { slot: string; op: 'remove'; value: string; day: string | null } {
  const day = takesDay(policy) ? (from ?? at.slice(0, DAY_CHARS)) : null;
  return { slot: name, op: 'remove', value, day };
}

/** The lines of a version, as a diff shows them. */
export function changedLines(
  changes: readonly (Line & { slot: string; kind: 'added' | 'removed' })[],
  label: (slot: string) => string,
): { change: 'added' | 'removed'; text: string }[] {
  return changes.map((one) => ({ change: one.kind, text: `${label(one.slot)}: ${lineOf(one)}` }));
}

/** Those that hold something first, each part in the order of the schema. */
export function filledFirst<S extends { name: string }>(
  slots: readonly S[],
  held: readonly { name: string; values: readonly unknown[] }[],
): S[] {
  const filled = new Set(held.filter(({ values }) => values.length > 0).map(({ name }) => name));
  return [...slots.filter(({ name }) => filled.has(name)), ...slots.filter(({ name }) => !filled.has(name))];
}

interface Saved {
  author: string;
  at: string;
  how: string;
  turn?: string | null;
}

/** Forms that are saved one after the other are of one sitting. */
const SITTING_MS = 600_000;
/** What stands for itself: all values are others by it. */
const WHOLE: ReadonlySet<string> = new Set(['restored', 'erased']);

/** Two neighbours were told by one message, or by the forms of one sitting. */
export function savedTogether(newer: Saved, older: Saved): boolean {
  if (newer.author !== older.author || WHOLE.has(newer.how) || WHOLE.has(older.how)) return false;
  if (newer.turn || older.turn) return newer.turn === older.turn;
  return Date.parse(newer.at) - Date.parse(older.at) <= SITTING_MS;
}

/** What is said of an answer to somebody who saw version `seen`: nothing that was not done. */
export function noticeOf(
  seen: number,
  { version, outcomes }: { version: number; outcomes: readonly { outcome: string }[] },
): 'profile.asked' | 'profile.same' | 'profile.saved' {
  if (outcomes.some((one) => one.outcome === 'waits')) return 'profile.asked';
  return version === seen ? 'profile.same' : 'profile.saved';
}
