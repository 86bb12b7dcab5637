// A registration that is being typed.

import { t, type Key } from '../../state/language.svelte';
import {
  addressOf, byScript, hasUsername, isSafe, wordsOf,
  type Authentication, type Operation, type Parameter, type Registration,
} from './model';

export interface Line {
  key: number;
  id: string;
  method: string;
  path: string;
  ko: string;
  en: string;
  reads: boolean;
  idempotent: boolean;
  /** Query parameters with commas between them, a star behind those that must be given. */
  query: string;
}

export interface Fields {
  name: string;
  ko: string;
  en: string;
  address: string;
  risk: string;
  kind: Authentication['kind'];
  header: string;
  path: string;
  usernameField: string;
  passwordField: string;
  tokenPointer: string;
  describe: 'list' | 'openapi';
  openapi: string;
  lines: Line[];
}

let keys = 0;

export function newLine(): Line {
  const key = ++keys;
  return { key, id: '', method: 'GET', path: '/', ko: '', en: '', reads: false, idempotent: false, query: '' };
}

function lineOf(operation: Operation): Line {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  return {
    ...operation,
    ...byScript(operation.labels),
    key: ++keys,
    query: query.map(({ name, required }) => name + (required ? '*' : '')).join(', '),
  };
}

export function fieldsOf(registration: Registration | null): Fields {
  const log = { path: '/login', usernameField: 'username', passwordField: 'password', tokenPointer: '/token' };
  const blank: Fields = {
    name: '', ko: '', en: '', address: '', risk: 'MEDIUM', kind: 'none', header: 'X-API-Key', ...log,
    describe: 'list', openapi: '', lines: [newLine()],
  };
  if (registration === null) return blank;
  const { name, aliases, risk, authentication, operations } = registration;
  return {
    ...blank,
    ...byScript(aliases),
    ...authentication,
    name,
    risk,
    address: addressOf(registration),
    lines: operations.map(lineOf),
  };
}

function authenticationOf(fields: Fields): Authentication {
  const { kind, header, path, usernameField, passwordField, tokenPointer } = fields;
  if (kind === 'api_key') return { kind, header };
  if (kind === 'log_in') return { kind, path, usernameField, passwordField, tokenPointer };
  return { kind };
}

function operationOf(line: Line): Operation {
  const { id, method, path, ko, en } = line;
  const query = wordsOf(line.query).map((word): Parameter => {
    const required = word.endsWith('*');
    return { name: required ? word.slice(0, -1).trim() : word, in: 'query', required };
  });
  const reads = isSafe(method) || (line.reads && method !== 'DELETE');
  const idempotent = line.idempotent && !isSafe(method);
  return { id, method, path, labels: wordsOf(ko, en), reads, idempotent, parameters: query };
}

/** As `PUT` takes it. */
export function bodyOf(fields: Fields): object {
  const described =
    fields.describe === 'openapi'
      ? { openapi: JSON.parse(fields.openapi) as unknown }
      : { operations: fields.lines.map(operationOf) };
  return {
    aliases: wordsOf(fields.ko, fields.en),
    baseUrl: fields.address.trim(),
    authentication: authenticationOf(fields),
    risk: fields.risk,
    ...described,
  };
}

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
