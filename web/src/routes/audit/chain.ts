// Whether the chain holds, as the server finds it.

import { api, ask, type Schemas } from '../../api/client';
import type { paths } from '../../api/schema';

export type AuditKey = Schemas['AuditKey'];
export type Chain =
  paths['/projects/{id}/audit/verify']['get']['responses']['200']['content']['application/json'];

export function verify(id: string): Promise<Chain> {
  return ask(api.GET('/projects/{id}/audit/verify', { params: { path: { id } } }));
}

export async function publicKey(): Promise<AuditKey | null> {
  const { items } = await ask(api.GET('/audit/keys'));
  return items.at(0) ?? null;
}
