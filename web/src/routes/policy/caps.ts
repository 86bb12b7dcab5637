// Every cap of a policy, in the order in which people think of them.

import type { Key } from '../../state/language.svelte';
import type { CostLimit, Policy, TokenBudget } from './model';

type Place = { part: 'tokenBudget'; name: keyof TokenBudget } | { part: 'costLimit'; name: keyof CostLimit };
export type Cap = Place & { text: Key };

export const CAPS: readonly Cap[] = [
  { part: 'tokenBudget', name: 'perRun', text: 'policy.tokens_run' },
  { part: 'tokenBudget', name: 'perDay', text: 'policy.tokens_day' },
  { part: 'tokenBudget', name: 'perMonth', text: 'policy.tokens_month' },
  { part: 'tokenBudget', name: 'perUserDay', text: 'policy.tokens_user_day' },
  { part: 'tokenBudget', name: 'perUserMonth', text: 'policy.tokens_user_month' },
  { part: 'costLimit', name: 'perRunMicros', text: 'policy.cost_run' },
  { part: 'costLimit', name: 'perDayMicros', text: 'policy.cost_day' },
  { part: 'costLimit', name: 'perMonthMicros', text: 'policy.cost_month' },
  { part: 'costLimit', name: 'perUserDayMicros', text: 'policy.cost_user_day' },
  { part: 'costLimit', name: 'perUserMonthMicros', text: 'policy.cost_user_month' },
];

export function capOf(policy: Policy, cap: Cap): number | null {
  const value = cap.part === 'tokenBudget' ? policy.tokenBudget[cap.name] : policy.costLimit[cap.name];
  return value ?? null;
}

/** As the server writes it: of the later ones, one that is not there is left out. */
export function setCap(policy: Policy, cap: Cap, value: number | null): void {
  if (cap.part === 'tokenBudget') policy.tokenBudget = withCap(policy.tokenBudget, cap.name, value);
  else policy.costLimit = withCap(policy.costLimit, cap.name, value);
}

const ALWAYS: readonly string[] = ['perRun', 'perDay', 'perRunMicros', 'perDayMicros'];

function withCap<Caps extends object>(caps: Caps, name: keyof Caps & string, value: number | null): Caps {
  const next = { ...caps, [name]: value };
  if (value === null && !ALWAYS.includes(name)) delete next[name];
  return next;
}
