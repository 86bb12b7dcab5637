// A registration, as the server keeps it and as a form holds it.

import type { Schemas } from '../../api/client';

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  labels: string[];
  reads: boolean;
  idempotent: boolean;
  parameters: Parameter[];
  /** What a row of its answer holds, and what it takes: no form shows them. */
  fields?: readonly unknown[];
  body?: { required?: boolean; mediaType?: string; schema?: unknown };
}

export type Authentication =
  | { kind: 'none' | 'bearer' | 'basic' }
  | { kind: 'api_key'; header: string }
  | { kind: 'log_in'; path: string; usernameField: string; passwordField: string; tokenPointer: string };

export interface Registration {
  version: number;
  name: string;
  aliases: string[];
  baseUrl: { scheme: 'http' | 'https'; host: string; port: number | null; segments: string[] };
  operations: Operation[];
  authentication: Authentication;
  /** The credential may go to any path, not to the operations alone; left out where it may not. */
  anyPath?: boolean;
  risk: string;
}

export interface HostRule {
  host: string;
  scheme: string | null;
  port: number | null;
  private: boolean;
  idempotentMethods: string[];
  idempotentOperations?: string[];
  readOperations?: string[];
}

export type System = Omit<Schemas['SystemView'], 'system' | 'proposed_rule'> & {
  system: Registration;
  proposed_rule: HostRule;
};

/** The API's description says no more of both than that they are objects. */
export function systemOf(view: Schemas['SystemView']): System {
  return view as unknown as System;
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const KINDS = ['none', 'bearer', 'basic', 'api_key', 'log_in'] as const;
export const RISKS = ['LOW', 'MEDIUM', 'HIGH'] as const;

const SAFE = new Set(['GET', 'HEAD']);
export const isSafe = (method: string): boolean => SAFE.has(method);
/** A user name belongs to these kinds of authentication. */
export const hasUsername = (kind: string): boolean => kind === 'basic' || kind === 'log_in';

export function addressOf({ baseUrl }: Registration): string {
  const { scheme, host, port, segments } = baseUrl;
  const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
  return `${scheme}://${host}${port === null ? '' : `:${port}`}${path}`;
}

const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/;

/** Names that people say, apart by script: Korean ones, others. */
export function byScript(words: readonly string[]): { ko: string; en: string } {
  const of = (isKorean: boolean): string => words.filter((word) => HANGUL.test(word) === isKorean).join(', ');
  return { ko: of(true), en: of(false) };
}

export function wordsOf(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}
