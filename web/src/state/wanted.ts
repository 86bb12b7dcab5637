// A line that the policy lacks, on its way from a denial to the policy's form. It is kept in this
// page alone: an address that somebody sends proposes nothing.

import type { Schemas } from '../api/client';

export type Lack = NonNullable<Schemas['AdviceView']['change']>;

let wanted: { project: string; lack: Lack } | null = null;

export function want(project: string, lack: Lack): void {
  wanted = { project, lack };
}

/** Once. */
export function takeWanted(project: string): Lack | null {
  const found = wanted?.project === project ? wanted.lack : null;
  wanted = null;
  return found;
}

/** Where the form shows that field. */
export const placeOf = (project: string, lack: Lack): string =>
  `/p/${project}/policy?view=edit&at=${encodeURIComponent(lack.field)}`;
