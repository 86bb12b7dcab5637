// A message on its way: sent again under the same key until the server has it, and never twice.

import { ApiProblem, api, ask } from '../api/client';
import { pause } from '../api/stream';
import type { Language } from './language.svelte';

const TRIES_MAX = 30;
const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 5_000;

/** In Unicode scalar values, as the server counts them. */
export const MESSAGE_CHARS_MAX = 16_000;

export interface Outgoing {
  key: string;
  text: string;
  /** What the person has set to be answered in. */
  language: Language | null;
  /** The newest event that was known when it was said. */
  after: number;
  /** The newest event that stood on the screen while it was typed: what a yes or a no is about. */
  seen: number | null;
  problem: ApiProblem | null;
}

export function fits(text: string): boolean {
  return text.length <= MESSAGE_CHARS_MAX || [...text].length <= MESSAGE_CHARS_MAX;
}

/** The turn that it became. */
export async function deliver(id: string, out: Outgoing): Promise<string> {
  const params = { path: { id } };
  const headers = { 'Idempotency-Key': out.key, Accept: 'application/json' };
  for (let tries = 0; ; tries++) {
    try {
      const body = {
        text: out.text,
        ...(out.language ? { language: out.language } : {}),
        ...(out.seen === null ? {} : { seen: out.seen }),
      };
      const call = api.POST('/sessions/{id}/messages', { params, headers, body });
      return (await ask(call)).turn;
    } catch (error) {
      const problem = ApiProblem.of(error);
      if (!problem.isPassing || tries >= TRIES_MAX) throw problem;
      await pause(Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** Math.min(tries, 8)));
    }
  }
}

const place = (id: string): string => `wiiiv.outbox.${id}`;

/** Outlives a refresh of the page; a text that is too long for that does not. */
export function keep(id: string, outbox: readonly Outgoing[]): void {
  const plain = outbox.map(({ key, text, language, after, seen }) => ({ key, text, language, after, seen }));
  try {
    if (plain.length === 0) sessionStorage.removeItem(place(id));
    else sessionStorage.setItem(place(id), JSON.stringify(plain));
  } catch {
    sessionStorage.removeItem(place(id));
  }
}

export function kept(id: string): Outgoing[] {
  try {
    const plain = JSON.parse(sessionStorage.getItem(place(id)) ?? '[]') as Outgoing[];
    return plain.map((out) => ({ ...out, language: out.language ?? null, seen: out.seen ?? null, problem: null }));
  } catch {
    return [];
  }
}
