// What the ledger says of models, as far as the API tells everybody here.

import type { Schemas } from '../../api/client';
import type { Effective, Provider } from '../models/model';
import type { Result } from './suite';

/** A model and what is said of it, for this build and under one set of rules. */
export interface Told {
  provider: string;
  model: string;
  ghost: Schemas['QualificationView'];
}

/** Models that propose for the project, each once, under its own rules; the built-in one is none. */
export function ofProject(effective: Effective): Told[] {
  const { provider, model, ghost, fallbacks, slots } = effective;
  const drafts = slots.filter(({ slot }) => slot !== 'embedding').map((slot) => slot.model);
  const named = [{ provider: provider.value, model: model.value, ghost }, ...fallbacks, ...drafts];
  const told = new Map<string, Told>();
  for (const one of named) {
    if (!one?.provider || !one.model || !one.ghost) continue;
    told.set(`${one.provider}:${one.model}`, { provider: one.provider, model: one.model, ghost: one.ghost });
  }
  return [...told.values()];
}

/** Models with known facts or a price, under the rules of a new project. */
export function ofNewProjects(providers: readonly Provider[]): Told[] {
  return providers.flatMap(({ provider, models }) =>
    models.flatMap(({ name, ghost }) => (ghost ? [{ provider, model: name, ghost }] : [])),
  );
}

export const isRecorded = ({ ghost }: Told): boolean => ghost.standing !== 'no_record';

const PARTS = [
  ['build', 'build'],
  ['prompts', 'prompt_hash'],
  ['policy', 'policy_hash'],
] as const;

/** What is said of exactly the case that this result is of. */
export function caseOf(told: readonly Told[], { provider, model, ...result }: Result): Told | null {
  const isSame = (one: Told): boolean =>
    one.provider === provider && one.model === model && PARTS.every(([, of]) => one.ghost[of] === result[of]);
  return told.find(isSame) ?? null;
}

/** Parts of its case that nothing is said of. */
export function differing(told: readonly Told[], result: Result): string[] {
  return PARTS.filter(([, of]) => told.every(({ ghost }) => ghost[of] !== result[of])).map(([part]) => part);
}
