// Tokens and money as people read them.

import { language } from '../../state/language.svelte';

const MICROS = 1_000_000;

export function tokens(count: number): string {
  return count.toLocaleString(language.current);
}

export function money(micros: number, currency: string): string {
  const style = { style: 'currency', currency, maximumFractionDigits: 4 } as const;
  return (micros / MICROS).toLocaleString(language.current, style);
}
