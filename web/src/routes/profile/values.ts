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

/** The lines of a version, as a diff shows them. */
export function changedLines(
  changes: readonly (Line & { slot: string; kind: 'added' | 'removed' })[],
  label: (slot: string) => string,
): { change: 'added' | 'removed'; text: string }[] {
  return changes.map((one) => ({ change: one.kind, text: `${label(one.slot)}: ${lineOf(one)}` }));
}
