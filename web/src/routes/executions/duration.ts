// How long something took.

import { language } from '../../state/language.svelte';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export function duration(from: string, to: string): string {
  const ms = Math.max(0, new Date(to).getTime() - new Date(from).getTime());
  const said = (value: number, unit: string): string =>
    value.toLocaleString(language.current, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
  if (ms < SECOND_MS) return said(ms, 'millisecond');
  return ms < MINUTE_MS ? said(ms / SECOND_MS, 'second') : said(ms / MINUTE_MS, 'minute');
}
