// Writes plain JSON data as TOML, as the server does; null is left out.

import { isEntries } from './changes';

export function toml(value: object): string {
  return `${table(value, []).join('\n').trim()}\n`;
}

const given = ([, value]: [string, unknown]): boolean => value !== null && value !== undefined;
const isTables = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every(isEntries);

/** Plain values first: what follows the head of a table belongs to that table. */
function table(value: object, path: readonly string[]): string[] {
  const entries = Object.entries(value).filter(given);
  const plain = entries.filter(([, item]) => !isEntries(item) && !isTables(item));
  const lines = plain.map(([name, item]) => `${key(name)} = ${isBlock(item) ? block(item) : inline(item)}`);
  for (const [name, item] of entries) {
    const at = [...path, key(name)];
    if (isEntries(item)) lines.push('', `[${at.join('.')}]`, ...table(item, at));
    else if (isTables(item)) for (const one of item) lines.push('', `[[${at.join('.')}]]`, ...table(one, at));
  }
  return lines;
}

function key(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Lines that TOML takes as they are. */
const isBlock = (value: unknown): value is string =>
  typeof value === 'string' && value.includes('\n') && !/'''|'$|[^\P{Cc}\n\t]/u.test(value);
const block = (text: string): string => `'''\n${text}'''`;

function inline(value: unknown): string {
  if (Array.isArray(value)) return list(value);
  if (isEntries(value)) {
    const parts = Object.entries(value).filter(given);
    return `{ ${parts.map(([name, item]) => `${key(name)} = ${inline(item)}`).join(', ')} }`;
  }
  // A basic string of TOML has the escapes of JSON, and one more character to escape.
  return JSON.stringify(value).replace(/\u007f/g, '\\u007F');
}

function list(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length < 2) return values.length === 0 ? '[]' : `[${inline(only)}]`;
  return `[\n${values.map((value) => `    ${inline(value)},\n`).join('')}]`;
}
