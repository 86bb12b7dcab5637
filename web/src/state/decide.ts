// A person's yes to exactly one digest.

import { api, ask, newKey, type Schemas } from '../api/client';
import { greatestEffect, type Preview } from '../ui/preview';
import { approvalsChanged } from './approvals.svelte';
import { chosenLanguage } from './language.svelte';

/** Of what a yes can meet: another look at the question is due. */
export const GONE: ReadonlySet<string> = new Set([
  'APPROVAL_STALE', 'APPROVAL_EXPIRED', 'APPROVAL_DECIDED', 'APPROVAL_ALREADY_GIVEN', 'DELEGATION_OVER', 'NOT_FOUND',
]);

/** What cannot be taken back is asked twice; for everything else the preview above the button does. */
export function asksTwice(preview: Preview): boolean {
  const effect = greatestEffect(preview);
  const removes = preview.steps.some(({ request }) => request?.method === 'DELETE');
  return removes || effect === 'DELETE' || effect === 'EXECUTE';
}

/** The turn that follows, and whether others have to approve it too. */
export type Decided = Schemas['DecidedView'];

/** Other values in place of an answer: what takes the place of the plan is asked about anew. */
export async function edit(approval: string, edited: Omit<Schemas['EditApproval'], 'language'>, key = newKey()): Promise<Decided> {
  const params = { path: { id: approval } };
  const headers = { 'Idempotency-Key': key };
  const body = { ...edited, language: chosenLanguage() };
  const decided = await ask(api.POST('/approvals/{id}/edit', { params, headers, body }));
  approvalsChanged();
  return decided;
}

/** Takes back one's own yes. */
export async function revoke(approval: string, reason: string, key = newKey()): Promise<Decided> {
  const params = { path: { id: approval } };
  const headers = { 'Idempotency-Key': key };
  const decided = await ask(api.POST('/approvals/{id}/revoke', { params, headers, body: { reason } }));
  approvalsChanged();
  return decided;
}

/** `delegation`: whose right is used, as it was shown; null for one's own. */
export async function approve(
  approval: string,
  digest: string,
  delegation: string | null = null,
  key = newKey(),
): Promise<Decided> {
  const params = { path: { id: approval } };
  const headers = { 'Idempotency-Key': key };
  const body = { digest, language: chosenLanguage(), delegation };
  const decided = await ask(api.POST('/approvals/{id}/approve', { params, headers, body }));
  approvalsChanged();
  return decided;
}
