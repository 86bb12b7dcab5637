// What a gate was shown, in words, as far as it is known; the record itself has all of it.

import { t, tCode } from '../../state/language.svelte';
import { tokens } from './amount';

export interface Fact {
  name: string;
  text: string;
}

type Facts = Record<string, unknown>;

const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const word = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function factsOf(facts: unknown): Fact[] {
  if (!isFacts(facts)) return [];
  const of = { dacs: review, approval, permission, cost }[word(facts['kind'])];
  return of ? of(facts) : [];
}

function review(facts: Facts): Fact[] {
  const found: Fact[] = [];
  if (facts['consensus']) {
    found.push({ name: t('why.consensus'), text: tCode('consensus', word(facts['consensus']).toUpperCase()) });
  }
  if ('binding' in facts) {
    found.push({ name: t('why.binding'), text: facts['binding'] ? t('why.binds') : t('why.observes') });
  }
  const risks = list(facts['risks']).map(word);
  const isRisky = facts['risky'] === true;
  found.push({ name: t('why.risk'), text: isRisky ? [t('why.risky'), ...risks].join(' · ') : t('why.not_risky') });
  return found;
}

function approval(facts: Facts): Fact[] {
  const basis = isFacts(facts['basis']) ? facts['basis'] : {};
  const name = word(basis['basis'] ?? '');
  const reason = basis['reason'] ? ` · ${tCode('not_required', word(basis['reason']))}` : '';
  return name ? [{ name: t('why.basis'), text: tCode('basis', name) + reason }] : [];
}

function permission(facts: Facts): Fact[] {
  const refused = list(facts['refused']).filter(isFacts);
  if (refused.length === 0) return [{ name: t('why.lists'), text: t('why.nothing_refused') }];
  return refused.map((one) => ({
    name: one['step'] ? t('why.step', { step: word(one['step']) }) : t('why.lists'),
    text: tCode('deny_code', word(one['code'])),
  }));
}

function cost(facts: Facts): Fact[] {
  const found = [{ name: t('why.estimate'), text: amount(facts['estimate']) }];
  for (const window of list(facts['windows']).filter(isFacts)) {
    const name = tCode('window', word(window['window']));
    found.push({ name, text: t('why.used', { used: amount(window['used']), cap: amount(window['cap']) }) });
  }
  return found;
}

function amount(value: unknown): string {
  const { tokens: count, micros } = isFacts(value) ? value : {};
  const parts: string[] = [];
  if (count != null) parts.push(t('inbox.tokens', { count: tokens(Number(count)) }));
  if (micros != null && Number(micros) > 0) parts.push(String(Number(micros) / 1_000_000));
  return parts.join(' · ') || t('why.no_cap');
}
