// Values of a policy in words.

import { language, t, tCode } from '../../state/language.svelte';
import { isEntries } from '../../text/changes';
import { oneLine } from '../../text/visible';
import { MICROS, place, WHOLE, type HostRule } from './model';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const VALUE_CHARS_MAX = 300;

export function duration(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['second', 1];
  const format = new Intl.NumberFormat(language.current, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(seconds / size);
}

export const number = (value: number): string => value.toLocaleString(language.current);

export function money(micros: number): string {
  return (micros / MICROS).toLocaleString(language.current, { maximumFractionDigits: 6 });
}

/** What a key of a policy is called. */
export function keyName(path: string): string {
  if (path.startsWith('confirmation.')) {
    return t('policy.confirmation_of', { task: tCode('task', path.slice('confirmation.'.length)) });
  }
  const named = tCode('policy_path', path);
  return named === path ? path.replace(/^modelPrices\./, `${t('policy.prices')}: `) : named;
}

/** What a value says at its key. */
export function valueText(path: string, value: unknown): string {
  if (value === null || value === undefined) return t('policy.none');
  if (path.startsWith('confirmation.')) return tCode('confirmation', String(value));
  if (path.endsWith('.by')) return tCode('approver', String(value));
  if (path === 'approval.escalation.to') return tCode('escalate_to', String(value));
  if (path.endsWith('.ttlSeconds')) return duration(Number(value));
  if (path.endsWith('Micros')) return money(Number(value));
  if (path === 'llmProvider') return tCode('provider', String(value));
  if (path === 'dacsStage') return tCode('dacs_stage', String(value));
  if (path === 'approval.foreignTargets') return tCode('foreign_targets', String(value));
  if (path === 'modelPersonas') return tCode('model_personas', String(value));
  if (path === 'keySources') return sourcesText(value);
  if (path === 'requireVerifiedModel') return tCode('task', String(value));
  if (path === 'allowedStepTypes') return tCode('step', String(value));
  if (path === 'allowedPaths' && value === WHOLE) return t('policy.whole_workspace');
  if (path === 'allowedHosts' && isEntries(value)) return ruleText(value as unknown as HostRule);
  if (path === 'fineRules') return t('policy.rules_lines', { count: String(value).trim().split('\n').length });
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? t('policy.on') : t('policy.off');
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), VALUE_CHARS_MAX);
}

/** Of the whole list where there was none before, else of one of it. */
function sourcesText(value: unknown): string {
  const sources: unknown[] = Array.isArray(value) ? value : [value];
  return sources.map((source) => tCode('key_source', String(source))).join(', ') || t('policy.no_keys');
}

function ruleText(rule: HostRule): string {
  const parts = [oneLine(place(rule), VALUE_CHARS_MAX)];
  if (rule.private) parts.push(t('policy.private'));
  const methods = rule.idempotentMethods;
  if (methods.length > 0) parts.push(t('policy.idempotent', { methods: methods.join(', ') }));
  const promised = rule.idempotentOperations ?? [];
  if (promised.length > 0) parts.push(t('policy.idempotent', { methods: oneLine(promised.join(', '), VALUE_CHARS_MAX) }));
  const reads = rule.readOperations ?? [];
  if (reads.length > 0) parts.push(t('policy.reads', { operations: oneLine(reads.join(', '), VALUE_CHARS_MAX) }));
  return parts.join(' · ');
}
