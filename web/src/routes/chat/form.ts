// The form of a request that lacks values: what was typed becomes a message's `form`.

import type { Schemas } from '../../api/client';

export type Form = Schemas['FormView'];
export type FormField = Schemas['FieldView'];
export type Answer = Schemas['FormInput'];

/** Two fields of one name may stand in different places. */
export const keyOf = ({ place, name }: FormField): string => `${place}.${name}`;

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const INTEGER = /^-?\d+$/;

/** What does not read as its kind is sent as it was typed: the server says what is wrong with it. */
function valueOf(field: FormField, typed: string): unknown {
  const choice = field.choices.find((one) => textOf(one) === typed);
  if (choice !== undefined) return choice;
  if (field.kind === 'text') return typed;
  try {
    const value = JSON.parse(typed) as unknown;
    // Past them a browser reads one integer as another: the server reads the text.
    return INTEGER.test(typed) && !Number.isSafeInteger(value) ? typed : value;
  } catch {
    return typed;
  }
}

/** Fields that are left empty are not sent; one that was known and is emptied is taken back. */
export function answerOf(form: Form, typed: Readonly<Record<string, string>>): Answer {
  const path: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  const members: Record<string, unknown> = {};
  let whole: unknown;
  for (const field of form.fields) {
    const text = (typed[keyOf(field)] ?? '').trim();
    const known = field.value !== null && field.value !== undefined;
    if (text === '' && !known) continue;
    const value = text === '' ? null : valueOf(field, text);
    if (field.place === 'path') path[field.name] = value;
    else if (field.place === 'query') query[field.name] = value;
    else if (field.name === '') whole = value;
    else members[field.name] = value;
  }
  const hasBody = form.fields.some(({ place }) => place === 'body');
  const body = whole ?? members;
  return { task: form.task, path, query, ...(hasBody ? { body } : {}) } as Answer;
}
