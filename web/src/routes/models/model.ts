// Models and keys, as the server tells of them.

import type { Schemas } from '../../api/client';
import { language, t, tCode } from '../../state/language.svelte';
import { MICROS } from '../policy/model';
import { money, number } from '../policy/say';

export type Key = Schemas['ModelKeyView'];
export type KeyCheck = Schemas['ModelListing'];
export type Effective = Schemas['EffectiveModelView'];
export type SlotModel = Schemas['SlotModelView'];
export type Trial = Schemas['TrialView'];
export type SlotName = 'governor' | 'generator' | 'embedding';
export type Resolution = Schemas['KeyResolutionView'];
export type Provider = Schemas['ProviderModelsView'];
export type Tone = 'plain' | 'ok' | 'warn' | 'bad';

/** Providers that a key can be kept for; the built-in one is asked without. */
export const KEYED = ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'OLLAMA', 'CUSTOM'] as const;

export const nameOf = (provider: string): string => tCode('provider', provider);

const VERDICTS: Readonly<Record<string, Tone>> = { ACCEPTED: 'ok', REFUSED: 'bad', UNREACHABLE: 'warn', NOT_APPROVED: 'warn' };
export const toneOf = (verdict: string): Tone => VERDICTS[verdict] ?? 'plain';

export type Standing = Schemas['StandingView'];

/** What the ledger of GHOST says of a model, and for what. */
export function standingText(ghost: Standing): string {
  return tCode('ghost_standing', ghost.standing, {
    differs: ghost.differs.map((part) => tCode('ghost_part', part)).join(', '),
    scenario: ghost.scenario ?? '',
    verdict: ghost.verdict ?? '',
    scenarios: ghost.scenarios ?? 0,
    of: ghost.of ?? 0,
    repeats: ghost.repeats ?? 0,
    revision: ghost.revision ?? '',
  });
}

/** Which scenarios the rules of the policy leave out, by what bars them. */
export function barredTexts(ghost: Standing): string[] {
  const kinds = new Map(ghost.barred.map((one) => [`${one.why} ${one.of}`, one] as const));
  return [...kinds.values()].map((kind) => {
    const alike = ghost.barred.filter((one) => one.why === kind.why && one.of === kind.of);
    return tCode('ghost_barred', kind.why, { of: kind.of, ids: alike.map((one) => one.scenario).join(', ') });
  });
}

/** What a list asked of a provider calls a model: Google writes a folder before it. */
export function isListed(models: readonly string[], model: string): boolean {
  return models.includes(model) || models.includes(`models/${model}`);
}

export type Facts = Schemas['ModelFactsView'];
export type Counting = Schemas['CountingView'];

const ABILITIES = ['json_schema', 'tools', 'vision', 'streaming'] as const;

/** Null means unknown, not zero. */
export function factsOf(provider: Provider | null, model: string): Facts | null {
  return provider?.models.find(({ name }) => name === model)?.facts ?? null;
}

/** How much it reads at once; said as well where nobody knows. */
export function windowText(facts: Facts | null): string {
  const window = facts?.window ?? null;
  return window === null ? t('models.window_unknown') : t('models.window', { tokens: number(window) });
}

export function abilities(facts: Facts | null): string {
  if (facts === null) return '';
  return ABILITIES.filter((name) => facts[name])
    .map((name) => tCode('models_able', name))
    .join(' · ');
}

export function countingText({ exact, tokenizer, within_percent }: Counting): string {
  return exact ? t('models.counted', { tokenizer }) : t('models.estimated', { tokenizer, percent: within_percent ?? 0 });
}

export interface Price {
  currency: string | null;
  input: number;
  output: number;
  /** What a call with at least so many tokens of input costs. */
  higher: readonly { from: number; input: number; output: number }[];
}

/** Null where nobody said what it costs, which is not the same as nothing. */
export function priceOf(provider: Provider | null, model: string): Price | null {
  const found = provider?.models.find(({ name }) => name === model);
  const [input, output] = [found?.input_micros_per_million ?? null, found?.output_micros_per_million ?? null];
  if (!found || input === null || output === null) return null;
  const higher = found.higher_tiers.map((tier) => ({
    from: tier.from_input_tokens,
    input: tier.input_micros_per_million,
    output: tier.output_micros_per_million,
  }));
  return { currency: found.currency ?? null, input, output, higher };
}

export function priceText(price: Price): string {
  const { input, output } = amounts(price);
  return price.input === 0 && price.output === 0 ? t('models_price.free') : `${input} / ${output}`;
}

/** Of each tier above the lowest. */
export function tierTexts({ currency, higher }: Price): string[] {
  return higher.map(({ from, input, output }) =>
    t('models.tier', { tokens: from.toLocaleString(language.current), ...amounts({ currency, input, output }) }),
  );
}

/** What one call has cost; said as well where nobody knows. */
export function trialCost({ cost_micros: micros, currency }: Trial): string {
  if (micros === null || micros === undefined) return t('models_price.unpriced');
  return (micros / MICROS).toLocaleString(language.current, { style: 'currency', currency, maximumFractionDigits: 6 });
}

/** For a million tokens. */
export function amounts({ currency, input, output }: Omit<Price, 'higher'>): { input: string; output: string } {
  const say = (micros: number): string =>
    currency === null
      ? money(micros)
      : (micros / MICROS).toLocaleString(language.current, { style: 'currency', currency, maximumFractionDigits: 6 });
  return { input: say(input), output: say(output) };
}
