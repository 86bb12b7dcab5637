// What a JSON value is as a table: rows of objects, or names with values.

export interface Table {
  /** What stands beside the rows, by its name: counts, errors, where it goes on. */
  beside: [string, unknown][];
  columns: string[];
  columnsLeftOut: number;
  rows: readonly Record<string, unknown>[];
}

export const COLUMNS_MAX = 12;
const LOOKED_ROWS_MAX = 200;
const CELL_CHARS_MAX = 200;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An array of objects, or an object that holds one such array and no other beside other values. */
export function tableOf(value: unknown): Table | null {
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) return rowsTable(value);
  if (!isObject(value)) return null;
  const [list, ...others] = Object.entries(value).filter(([, item]) => Array.isArray(item));
  const table = list && others.length === 0 ? tableOf(list[1]) : null;
  if (!list || table === null) return null;
  return { ...table, beside: Object.entries(value).filter(([name]) => name !== list[0]) };
}

function rowsTable(rows: readonly Record<string, unknown>[]): Table {
  const names = new Set<string>();
  for (const row of rows.slice(0, LOOKED_ROWS_MAX)) for (const name of Object.keys(row)) names.add(name);
  const ordered = [...names].sort((a, b) => rank(a) - rank(b));
  return {
    beside: [],
    columns: ordered.slice(0, COLUMNS_MAX),
    columnsLeftOut: Math.max(0, ordered.length - COLUMNS_MAX),
    rows,
  };
}

/** What people look for first stands first; the order is kept otherwise. */
function rank(name: string): number {
  if (name === 'id') return 0;
  return name.startsWith('name') || name === 'title' ? 1 : 2;
}

/** Plain values of an object. */
export function pairsOf(value: unknown): [string, unknown][] | null {
  return isObject(value) ? Object.entries(value) : null;
}

/** A cell in whole. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '—';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** It goes on past what a line of a table shows. */
export const isLong = (text: string): boolean => text.length > CELL_CHARS_MAX;

export const isNumber = (value: unknown): boolean => typeof value === 'number';
