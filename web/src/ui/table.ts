// What a JSON value is as a table: rows of objects, or names with values.

import { oneLine } from '../text/visible';

export interface Table {
  columns: string[];
  columnsLeftOut: number;
  rows: readonly Record<string, unknown>[];
}

export const COLUMNS_MAX = 12;
const LOOKED_ROWS_MAX = 200;
const CELL_CHARS_MAX = 200;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An array of objects, or an object that holds only one such array beside plain values. */
export function tableOf(value: unknown): Table | null {
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) return rowsTable(value);
  if (!isObject(value)) return null;
  const lists = Object.values(value).filter(Array.isArray);
  const list: unknown = lists.length === 1 ? lists[0] : null;
  return list === null ? null : tableOf(list);
}

function rowsTable(rows: readonly Record<string, unknown>[]): Table {
  const names = new Set<string>();
  for (const row of rows.slice(0, LOOKED_ROWS_MAX)) for (const name of Object.keys(row)) names.add(name);
  const ordered = [...names].sort((a, b) => rank(a) - rank(b));
  return {
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

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '—';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return oneLine(text, CELL_CHARS_MAX);
}

export const isNumber = (value: unknown): boolean => typeof value === 'number';
