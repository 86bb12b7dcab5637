// What is wrong with a registration that is being typed.

import { t, type Key } from '../../state/language.svelte';
import type { Fields, Line } from './fields';
import { hasUsername, wordsOf } from './model';

/** By field: `name`, `baseUrl`, `operations.2.path`. */
export type Errors = Record<string, string>;

const LABEL_CHARS_MAX = 64;
const LABELS_MAX = 16;

function oddWords(...texts: readonly string[]): Key | null {
  const words = wordsOf(...texts);
  if (words.length > LABELS_MAX) return 'systems.too_many_words';
  return words.some((word) => [...word].length > LABEL_CHARS_MAX) ? 'systems.long_word' : null;
}

function oddAddress(text: string): Key | null {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return 'systems.odd_address';
  if (url.username || url.password) return 'systems.address_secret';
  return url.search || url.hash ? 'systems.address_query' : null;
}

const oddPath = (path: string): boolean => !path.startsWith('/') || /[?#\\]/.test(path);

/** What can be said before the server is asked; it looks again, and at more. */
export function faultsOf(fields: Fields): Errors {
  const found: Record<string, Key | null | false> = {
    name: !/^[a-z][a-z0-9_-]{0,31}$/.test(fields.name) && 'systems.odd_name',
    aliases: oddWords(fields.ko, fields.en),
    baseUrl: oddAddress(fields.address),
    'authentication.header': fields.kind === 'api_key' && !/^[A-Za-z0-9_-]{1,64}$/.test(fields.header) && 'systems.odd_header',
    'authentication.path': fields.kind === 'log_in' && oddPath(fields.path) && 'systems.odd_path',
    'authentication.tokenPointer': fields.kind === 'log_in' && !fields.tokenPointer.startsWith('/') && 'systems.odd_pointer',
  };
  for (const name of ['usernameField', 'passwordField'] as const) {
    found[`authentication.${name}`] = hasUsername(fields.kind) && fields.kind === 'log_in' && !fields[name].trim() && 'systems.needed';
  }
  if (fields.describe === 'openapi') found['openapi'] = !isObject(fields.openapi) && 'systems.odd_openapi';
  else Object.assign(found, lineFaults(fields.lines));
  const odd = Object.entries(found).filter((entry): entry is [string, Key] => Boolean(entry[1]));
  return Object.fromEntries(odd.map(([field, key]) => [field, t(key)]));
}

function lineFaults(lines: readonly Line[]): Record<string, Key | null | false> {
  const found: Record<string, Key | null | false> = {};
  for (const [at, { id, path, ko, en }] of lines.entries()) {
    const twice = lines.findIndex((line) => line.id === id) < at;
    const odd = !/^[A-Za-z0-9_.-]{1,64}$/.test(id);
    found[`operations.${at}.id`] = odd ? 'systems.odd_id' : twice && 'systems.id_twice';
    found[`operations.${at}.path`] = oddPath(path) && 'systems.odd_path';
    found[`operations.${at}.labels`] = oddWords(ko, en);
  }
  return found;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Where the server's words belong: it names a field, and an operation by its id. */
export function serverErrors(params: Record<string, unknown>, fields: Fields): Errors {
  const reason = String(params['reason'] ?? '');
  const field = String(params['field'] ?? '').replace(/\[(\d+)\]/g, '.$1');
  const id = /^operation `([^`]*)`/.exec(reason)?.[1];
  const at = fields.lines.findIndex((line) => line.id === id);
  if (field === 'operations' && at >= 0) return { [`operations.${at}.path`]: reason };
  return { [field === 'labels' || field === 'parameters' ? 'operations' : field]: reason };
}
