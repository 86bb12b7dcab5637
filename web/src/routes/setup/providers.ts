// Choosing a provider is one version of the personal project's policy.

import { api, ask, type Schemas } from '../../api/client';
import { same } from '../../text/changes';
import { versionOf, type Policy } from '../policy/model';

export type Provider = Schemas['ProviderItem'];

export interface Choice {
  key: string;
  baseUrl: string;
  model: string;
}

export function keyOf(item: Provider): string {
  return item.id === 'offline' ? 'offline' : `custom ${item.origin ?? item.name}`;
}

/** A place whose key would have to be sent cannot be used yet: this build sends none. */
export function canChoose(item: Provider): boolean {
  if (item.id === 'offline') return true;
  const isOpen = item.state === 'ready' || (item.state === 'found' && !item.env);
  return isOpen && Boolean(item.origin);
}

/** What the policy says now. */
export async function chosenOf(project: string, items: readonly Provider[]): Promise<Choice | null> {
  const view = await ask(api.GET('/projects/{id}/policy', { params: { path: { id: project } } }));
  const { policy } = versionOf(view);
  if (policy.llmProvider === 'OFFLINE') return { key: 'offline', baseUrl: '', model: '' };
  const baseUrl = policy.llmBaseUrl ?? '';
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
  const item = items.find((one) => one.origin === origin);
  return item ? { key: keyOf(item), baseUrl, model: policy.governorModel ?? '' } : null;
}

export async function choose(project: string, item: Provider, choice: Choice, reason: string): Promise<void> {
  const path = { id: project };
  const version = versionOf(await ask(api.GET('/projects/{id}/policy', { params: { path } })));
  const isCustom = item.id === 'custom';
  const policy: Policy = {
    ...version.policy,
    llmProvider: isCustom ? 'CUSTOM' : 'OFFLINE',
    llmBaseUrl: isCustom ? choice.baseUrl.trim() : null,
    governorModel: isCustom ? choice.model.trim() : null,
  };
  if (same(policy, version.policy)) return;
  const params = { path, header: { 'If-Match': `"${version.id}"` } };
  const body = { policy: policy as unknown as Record<string, never>, reason };
  await ask(api.PUT('/projects/{id}/policy', { params, body }));
}
