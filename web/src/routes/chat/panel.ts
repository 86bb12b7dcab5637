// What the panel of a conversation shows: its last words in short, what its answers cite, and what its person told of
// themselves, safety first.

import { oneLine } from '../../text/visible';
import { lineOf } from '../profile/values';

const TURNS_MAX = 3;
const WORDS_MAX = 120;
const CITED_MAX = 20;

interface Spoken {
  id: string;
  message: string | null;
  language: string | null;
}

/** The last messages, the newest last. */
export function lastWords(turns: readonly Spoken[]): { id: string; text: string }[] {
  const spoken = turns.flatMap(({ id, message }) => (message === null ? [] : [{ id, text: oneLine(message, WORDS_MAX) }]));
  return spoken.slice(-TURNS_MAX);
}

/** What the conversation is answered in; `null` before anything was said. */
export function languageOf(turns: readonly Spoken[]): string | null {
  return turns.findLast(({ language }) => language !== null)?.language ?? null;
}

interface Cited {
  document: string;
  passage: number;
}

interface Saying<C> {
  seq: number;
  citations?: readonly C[];
}

/** Passages that its answers cite, the newest first, each once. */
export function citedIn<C extends Cited>(turns: readonly { said: readonly Saying<C>[] }[]): C[] {
  const found = new Map<string, C>();
  for (const { said } of turns.toReversed()) {
    for (const { citations = [] } of said.toReversed()) {
      for (const one of citations) {
        const key = `${one.document}/${one.passage}`;
        if (!found.has(key)) found.set(key, one);
      }
    }
  }
  return [...found.values()].slice(0, CITED_MAX);
}

interface Slot<Label> {
  name: string;
  label: Label;
  safety: boolean;
}
interface Value {
  value: string;
  from?: string | null;
  until?: string | null;
}

/** Slots with a value, those of safety before the others. */
export function toldSlots<Label>(
  schema: { slots: readonly Slot<Label>[] },
  profile: { slots: readonly { name: string; values: readonly Value[] }[] },
): { name: string; label: Label; safety: boolean; values: string[] }[] {
  const valuesOf = (name: string): string[] => (profile.slots.find((one) => one.name === name)?.values ?? []).map(lineOf);
  const told = schema.slots.map(({ name, label, safety }) => ({ name, label, safety, values: valuesOf(name) }));
  return told.filter(({ values }) => values.length > 0).sort((one, other) => Number(other.safety) - Number(one.safety));
}
