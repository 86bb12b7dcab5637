// Two texts, line by line.

import type { Schemas } from '../../api/client';

type Line = Schemas['LineView'];

/** Of the table in which equal lines are found; beyond it all that lies between counts as changed. */
const CELLS_MAX = 4_000_000;

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** What becomes of the lines of `from` in `to`. */
export function changedLines(from: string, to: string): Line[] {
  const [was, is] = [linesOf(from), linesOf(to)];
  const most = Math.min(was.length, is.length);
  let head = 0;
  while (head < most && was[head] === is[head]) head += 1;
  let tail = 0;
  while (tail < most - head && was.at(-1 - tail) === is.at(-1 - tail)) tail += 1;
  const same = (text: string): Line => ({ kind: 'same', text });
  return [
    ...was.slice(0, head).map(same),
    ...between(was.slice(head, was.length - tail), is.slice(head, is.length - tail)),
    ...was.slice(was.length - tail).map(same),
  ];
}

/** By the longest sequence of lines that both have. */
function between(was: readonly string[], is: readonly string[]): Line[] {
  const wide = is.length + 1;
  const isTooMuch = was.length * is.length > CELLS_MAX;
  const longest = isTooMuch ? new Uint16Array() : new Uint16Array((was.length + 1) * wide);
  const cell = (row: number, column: number): number => longest[row * wide + column] ?? 0;
  for (let row = was.length - 1; row >= 0 && !isTooMuch; row -= 1) {
    for (let column = is.length - 1; column >= 0; column -= 1) {
      const isBoth = was[row] === is[column];
      longest[row * wide + column] = isBoth
        ? cell(row + 1, column + 1) + 1
        : Math.max(cell(row + 1, column), cell(row, column + 1));
    }
  }
  const found: Line[] = [];
  let [row, column] = [0, 0];
  while (row < was.length || column < is.length) {
    const [mine, theirs] = [was[row], is[column]];
    if (mine !== undefined && mine === theirs && !isTooMuch) {
      found.push({ kind: 'same', text: mine });
      [row, column] = [row + 1, column + 1];
    } else if (mine !== undefined && (theirs === undefined || cell(row + 1, column) >= cell(row, column + 1))) {
      found.push({ kind: 'removed', text: mine });
      row += 1;
    } else {
      found.push({ kind: 'added', text: theirs ?? '' });
      column += 1;
    }
  }
  return found;
}

/** How many lines of that kind. */
export function count(lines: readonly Line[], kind: Line['kind']): number {
  return lines.filter((line) => line.kind === kind).length;
}

/** What two people made of one text: `theirs` without what `mine` took out, and behind it what `mine` added. */
export function joined(base: string, mine: string, theirs: string): string {
  const [was, own, others] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const [had, has, known] = [new Set(was), new Set(own), new Set(others)];
  const isKept = (line: string): boolean => line === '' || has.has(line) || !had.has(line);
  return [...others.filter(isKept), ...own.filter((line) => !had.has(line) && !known.has(line))].join('\n');
}
