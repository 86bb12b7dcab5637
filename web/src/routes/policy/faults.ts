// Which part of the form a fault of the policy speaks of.

import { language, t, tCode } from '../../state/language.svelte';
import type { Fault, RuleFault } from './draft.svelte';

export const SECTIONS = ['hosts', 'paths', 'approvals', 'answers', 'budgets', 'model', 'rules'] as const;
export type Section = (typeof SECTIONS)[number];

const KEYS: readonly [string, Section][] = [
  ['fineRules', 'rules'],
  ['allowedHosts', 'hosts'],
  ['readOperations', 'hosts'],
  ['idempotentOperations', 'hosts'],
  ['allowedPaths', 'paths'],
  ['approval', 'approvals'],
  ['profileSchema', 'answers'],
  ['guardrails', 'answers'],
  ['answers', 'answers'],
  ['ragForInformation', 'answers'],
  ['tokenBudget', 'budgets'],
  ['costLimit', 'budgets'],
  ['llm', 'model'],
  ['modelFallbacks', 'model'],
  ['governorModel', 'model'],
  ['generatorModel', 'model'],
  ['embeddingModel', 'model'],
  ['keySources', 'model'],
  ['origin', 'model'],
  ['base URL', 'model'],
];

export interface Placed {
  section: Section;
  /** The value that does not fit, where one is quoted. */
  value: string | null;
  message: string;
  /** As the server said it. */
  said: string;
  /** What is wrong with the fine rules, one by one. */
  rules: readonly RuleFault[];
}

/** How the server says it, and which text of ours says the same. The first hole is what does not fit. */
const SAYINGS: readonly [RegExp, string][] = [
  [/^`allowedHosts`: `(.*)` is not/, 'host'],
  [/^`allowedPaths`: `(.*)` is not/, 'path'],
  [/^`(?:read|idempotent)Operations`: `(.*)` is not/, 'label'],
  [/^`approval\.(\w+)\.ttlSeconds` must/, 'time'],
  [/^`approval\.(\w+)\.approvers` must/, 'approvers'],
  [/^`approval\.(\w+)\.approvers`: the requester/, 'several_requesters'],
  [/^`approval\.escalation\.afterPercent` must/, 'escalation'],
  [/^`([\w.]+)` is greater than/, 'large'],
  [/needs `(llmBaseUrl)`/, 'base_url'],
  [/name one as `(governorModel)`/, 'model'],
  [/^(?:`\w+`: )?the origin `(.*)` is not approved/, 'origin'],
  [/^`embeddingModel`: `(.*)` has no embeddings/, 'embeddings'],
  [/^`profileSchema`: there is no schema `(.*)`, there are (.*)$/, 'schema'],
  [/^`(answers\.refine)` needs/, 'refine_alone'],
  [/^unknown field `(.*?)`/, 'unknown_field'],
  [/^missing field `(.*?)`/, 'missing_field'],
  [/^unknown variant `(.*?)`, expected (.*)$/, 'variant'],
  [/^invalid type: (.*), expected (.*)$/, 'type'],
];

/** A fault of the fine rules in words. What Cedar itself says is in English, as is its language. */
export function ruleFaultText({ code, message }: Pick<RuleFault, 'code' | 'message'>): string {
  return tCode('rule_fault', code, { message });
}

/** In the language of the interface where a text of ours says it; else as the server does. */
export function faultText({ message, rules: [rule] }: Pick<Fault, 'message' | 'rules'>): string {
  if (rule) {
    const place = t('policy.place', { line: rule.line, column: rule.column });
    return `${t('policy.rules')} ${place}: ${ruleFaultText(rule)}`;
  }
  if (language.current === 'en') return message;
  for (const [saying, code] of SAYINGS) {
    const [, what, expected = ''] = saying.exec(message) ?? [];
    if (what) return tCode('policy_fault', code, { what, expected });
  }
  return message;
}

/** The server quotes key and value: `` `allowedHosts`: `A b` is not … ``. */
export function placed(fault: Fault | null): Placed | null {
  if (fault === null) return null;
  const quoted = fault.message.split('`').filter((_, at) => at % 2 === 1);
  const found = KEYS.find(([key]) => quoted[0]?.startsWith(key)) ?? KEYS.find(([key]) => fault.message.includes(key));
  if (!found) return null;
  const { message: said, rules } = fault;
  return { section: found[1], value: quoted[1] ?? null, message: faultText(fault), said, rules };
}
