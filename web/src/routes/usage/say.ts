// Amounts, days and models of this screen in words.

import type { Schemas } from '../../api/client';
import { language, t, tCode } from '../../state/language.svelte';
import { oneLine } from '../../text/visible';

export type Sums = Schemas['UsageSumsView'];
export type Row = Schemas['UsageRowView'];

const MICROS = 1_000_000;
const CHARS_MAX = 120;

export const number = (value: number): string => value.toLocaleString(language.current);

/** Of little all digits, of much the usual ones. */
export function money(micros: number, currency: string): string {
  const value = micros / MICROS;
  const digits = value < 1 ? { maximumFractionDigits: 6 } : {};
  return value.toLocaleString(language.current, { style: 'currency', currency, ...digits });
}

/** Rounded down: a cap is reached no sooner than it is. */
export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 1 : Math.floor((part / whole) * 100) / 100;
  return share.toLocaleString(language.current, { style: 'percent' });
}

export function day(of: string, long = false): string {
  const short = { timeZone: 'UTC', month: 'short', day: 'numeric' } as const;
  const format = long ? ({ ...short, year: 'numeric' } as const) : short;
  return new Date(of).toLocaleDateString(language.current, format);
}

export function month(of: string): string {
  return new Date(`${of}-01`).toLocaleDateString(language.current, { timeZone: 'UTC', month: 'long', year: 'numeric' });
}

export const modelName = (provider: string, model: string): string =>
  `${tCode('provider', oneLine(provider, CHARS_MAX))} · ${oneLine(model, CHARS_MAX)}`;

export function personName(person: Row['user']): string {
  return person?.name ? oneLine(person.name, CHARS_MAX) : t('usage.gone');
}
