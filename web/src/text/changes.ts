// What is another in one JSON value than in the other, and changes of two people laid together.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Change {
  /** Keys with dots between them; of a list, the list's. */
  path: string;
  kind: 'added' | 'removed' | 'changed';
  from: unknown;
  to: unknown;
}

type Entries = Record<string, unknown>;

export function isEntries(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function same(one: unknown, other: unknown): boolean {
  return sorted(one ?? null) === sorted(other ?? null);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isEntries(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

const holds = (list: readonly unknown[], item: unknown): boolean => list.some((one) => same(one, item));

/** As the server compares policies: key by key, a list as a set. */
export function changesOf(from: unknown, to: unknown, path = ''): Change[] {
  if (same(from, to)) return [];
  if (isEntries(from) && isEntries(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
    return keys.flatMap((key) => changesOf(from[key], to[key], path ? `${path}.${key}` : key));
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    const lost = from.filter((item) => !holds(to, item));
    const gained = to.filter((item) => !holds(from, item));
    return [
      ...lost.map((item): Change => ({ path, kind: 'removed', from: item, to: null })),
      ...gained.map((item): Change => ({ path, kind: 'added', from: null, to: item })),
    ];
  }
  const kind = from === null || from === undefined ? 'added' : to === null || to === undefined ? 'removed' : 'changed';
  return [{ path, kind, from: from ?? null, to: to ?? null }];
}

/** `mine` as if it had been made from `theirs`; where both changed one thing, mine stands and is named. */
export function merged<T>(base: T, mine: T, theirs: T): { value: T; clashes: string[] } {
  const clashes: string[] = [];
  const value = lay(base, mine, theirs, '', clashes) as T;
  return { value, clashes };
}

function lay(base: unknown, mine: unknown, theirs: unknown, path: string, clashes: string[]): unknown {
  if (same(base, mine)) return theirs;
  if (same(base, theirs) || same(mine, theirs)) return mine;
  if (isEntries(base) && isEntries(mine) && isEntries(theirs)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
    const below = (key: string): string => (path ? `${path}.${key}` : key);
    const all = [...keys].map((key) => [key, lay(base[key], mine[key], theirs[key], below(key), clashes)]);
    return Object.fromEntries(all.filter(([, value]) => value !== undefined));
  }
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) {
    const kept = theirs.filter((item) => holds(mine, item) || !holds(base, item));
    const gained = mine.filter((item) => !holds(base, item) && !holds(theirs, item));
    return [...kept, ...gained];
  }
  clashes.push(path);
  return mine;
}
