// A registration that is being typed. What the form does not show stays as it was read.

import { same } from '../../text/changes';
import {
  addressOf, byScript, isSafe, wordsOf,
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
  /** As it was read: with what the form does not show. */
  was: Operation | null;
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
  anyPath: boolean;
  describe: 'list' | 'openapi';
  openapi: string;
  lines: Line[];
  /** Its other names as they were read, in their order. */
  aliases: string[];
}

let keys = 0;

export function newLine(): Line {
  const key = ++keys;
  return { key, id: '', method: 'GET', path: '/', ko: '', en: '', reads: false, idempotent: false, query: '', was: null };
}

function lineOf(operation: Operation): Line {
  const { id, method, path, reads, idempotent } = operation;
  const query = queryOf(operation.parameters);
  return { key: ++keys, id, method, path, ...byScript(operation.labels), reads, idempotent, query, was: operation };
}

function queryOf(parameters: readonly Parameter[]): string {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return query.map(({ name, required }) => name + (required ? '*' : '')).join(', ');
}

export function fieldsOf(registration: Registration | null): Fields {
  const log = { path: '/login', usernameField: 'username', passwordField: 'password', tokenPointer: '/token' };
  const blank: Fields = {
    name: '', ko: '', en: '', address: '', risk: 'MEDIUM', kind: 'none', header: 'X-API-Key', ...log, anyPath: false,
    describe: 'list', openapi: '', lines: [newLine()], aliases: [],
  };
  if (registration === null) return blank;
  const { name, aliases, risk, authentication, anyPath = false, operations } = registration;
  return {
    ...blank,
    ...byScript(aliases),
    ...authentication,
    anyPath,
    name,
    aliases,
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

/** Words that were not touched stay as they were read: also those that hold a comma. */
function namesOf({ ko, en }: { ko: string; en: string }, was: readonly string[] | undefined): string[] {
  return was !== undefined && same(byScript(was), { ko, en }) ? [...was] : wordsOf(ko, en);
}

function parametersOf({ path, query, was }: Line): Parameter[] {
  // The server finds those of the path by itself.
  if (was?.path === path && queryOf(was.parameters) === query) return was.parameters;
  return wordsOf(query).map((word): Parameter => {
    const required = word.endsWith('*');
    return { name: required ? word.slice(0, -1).trim() : word, in: 'query', required };
  });
}

function operationOf(line: Line): Operation {
  const { id, method, path, was } = line;
  const { body, ...rest } = was ?? {};
  const reads = isSafe(method) || (line.reads && method !== 'DELETE');
  const idempotent = line.idempotent && !isSafe(method);
  const shown = { id, method, path, labels: namesOf(line, was?.labels), reads, idempotent, parameters: parametersOf(line) };
  // A GET or HEAD takes none.
  return { ...rest, ...shown, ...(body !== undefined && !isSafe(method) ? { body } : {}) };
}

/** As `PUT` takes it. */
export function bodyOf(fields: Fields): object {
  const described =
    fields.describe === 'openapi'
      ? { openapi: JSON.parse(fields.openapi) as unknown }
      : { operations: fields.lines.map(operationOf) };
  return {
    aliases: namesOf(fields, fields.aliases),
    baseUrl: fields.address.trim(),
    authentication: authenticationOf(fields),
    // Without a credential there is nothing to let go.
    anyPath: fields.kind !== 'none' && fields.anyPath,
    risk: fields.risk,
    ...described,
  };
}
