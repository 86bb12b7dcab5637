// Runs of one suite put together: by scenario and repeat, beside those of another suite, and what they visited.

import type { Schemas } from '../../api/client';

export type Result = Schemas['GhostResultView'];

/** Runs of one scenario, or of one variant of it. */
export interface Line {
  name: string;
  runs: readonly Result[];
  /** By repeat; those whose player did not tell stand in 0. */
  cells: ReadonlyMap<number, readonly Result[]>;
}

export interface Matrix {
  repeats: readonly number[];
  lines: readonly Line[];
}

export interface Tally {
  of: number;
  passed: number;
  partial: number;
  violated: number;
}

function grouped<Name>(runs: readonly Result[], nameOf: (run: Result) => Name): Map<Name, Result[]> {
  const groups = new Map<Name, Result[]>();
  for (const run of runs) {
    const group = groups.get(nameOf(run));
    if (group) group.push(run);
    else groups.set(nameOf(run), [run]);
  }
  return groups;
}

/** What a player reports is anything: only what is known of it is read. */
const reportOf = (run: Result): Readonly<Record<string, unknown>> => run.report;
const isText = (value: unknown): value is string => typeof value === 'string';
const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** `C01`, `C01 silent`. */
function lineOf(run: Result): string {
  const variant = reportOf(run)['variant'];
  return isText(variant) && variant !== '' ? `${run.scenario} ${variant}` : run.scenario;
}

export function matrixOf(runs: readonly Result[]): Matrix {
  const repeatOf = (run: Result): number => run.repeat ?? 0;
  const lines = [...grouped(runs, lineOf)].sort(([a], [b]) => byName(a, b));
  return {
    repeats: [...new Set(runs.map(repeatOf))].sort((a, b) => a - b),
    lines: lines.map(([name, own]) => ({ name, runs: own, cells: grouped(own, repeatOf) })),
  };
}

export function tallyOf(runs: readonly Result[]): Tally {
  const count = (is: (run: Result) => boolean): number => runs.filter(is).length;
  return {
    of: runs.length,
    passed: count(({ verdict }) => verdict === 'PASS'),
    partial: count(({ verdict }) => verdict === 'PARTIAL'),
    violated: count(({ invariants }) => invariants === 'violated'),
  };
}

/** Nothing about it has to be looked at. */
export const isGood = ({ of, passed, violated }: Tally): boolean => passed === of && violated === 0;

/** Who says so, and of how many runs. */
export function wordsOf(runs: readonly Result[]): { word: Result['word']; by: string; count: number }[] {
  const groups = grouped(runs, ({ word, signed_by }) => `${word} ${signed_by ?? ''}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ word: first.word, by: first.signed_by ?? '', count: group.length }] : [];
  });
}

const KINDS = ['worse', 'gone', 'added', 'better'] as const;

export interface Change {
  name: string;
  kind: (typeof KINDS)[number];
  /** Null: it was not played there. */
  before: Tally | null;
  after: Tally | null;
}

/** What did not come to the same; what has to be looked at first. */
export function differenceOf(before: readonly Result[], after: readonly Result[]): Change[] {
  const [old, now] = [grouped(before, lineOf), grouped(after, lineOf)];
  const tally = (runs: Result[] | undefined): Tally | null => (runs ? tallyOf(runs) : null);
  const names = [...new Set([...old.keys(), ...now.keys()])].sort(byName);
  const changes = names.flatMap((name) => {
    const [was, is] = [tally(old.get(name)), tally(now.get(name))] as const;
    const kind = kindOf(was, is);
    return kind ? [{ name, kind, before: was, after: is }] : [];
  });
  return changes.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

/** By shares: the two need not have been repeated as often. An invariant weighs more than what passed. */
function kindOf(was: Tally | null, is: Tally | null): Change['kind'] | null {
  if (was === null) return 'added';
  if (is === null) return 'gone';
  const violated = is.violated * was.of - was.violated * is.of;
  const failed = was.passed * is.of - is.passed * was.of;
  const worse = violated || failed;
  if (worse === 0) return null;
  return worse > 0 ? 'worse' : 'better';
}

const PARTS = ['transitions', 'gates', 'denials'] as const;

export interface Covered {
  part: (typeof PARTS)[number];
  visited: readonly string[];
  /** Not in the baseline, where there is one. */
  found: readonly string[];
  /** In the baseline alone. */
  lost: readonly string[];
}

export function coverageOf(runs: readonly Result[], baseline: readonly Result[] | null): Covered[] {
  return PARTS.map((part) => {
    const now = visited(runs, part);
    const before = baseline ? visited(baseline, part) : now;
    return { part, visited: now, found: without(now, before), lost: without(before, now) };
  });
}

function visited(runs: readonly Result[], part: string): string[] {
  const items = runs.flatMap((run) => {
    const all = reportOf(run)['visited'] as Readonly<Record<string, unknown>> | null | undefined;
    const list = all?.[part];
    return Array.isArray(list) ? list.filter(isText) : [];
  });
  return [...new Set(items)].sort();
}

function without(items: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return items.filter((item) => !known.has(item));
}
