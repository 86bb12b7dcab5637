// Choosing a provider is one version of the personal project's policy.

import { api, ask, type Schemas } from '../../api/client';
import { same } from '../../text/changes';
import { KEY_SOURCES, keySources, nameKeySources, versionOf, type Policy } from '../policy/model';

export type Provider = Schemas['ProviderItem'];
export type Known = Schemas['ProviderModelsView'];

export interface Choice {
  key: string;
  baseUrl: string;
  model: string;
}

export function keyOf(item: Provider): string {
  return item.id === 'offline' ? 'offline' : `${item.id} ${item.origin ?? item.name}`;
}

/** Its address is typed; the others are where their providers have them. */
export const hasAddress = (item: Provider): boolean => item.id === 'custom' || item.id === 'ollama';

export function canChoose(item: Provider): boolean {
  if (item.id === 'offline') return true;
  return (item.state === 'ready' || item.state === 'found') && Boolean(item.origin);
}

/** Its address is approved, and no variable holds its key: the hint says where to store one. */
export const lacksKey = (item: Provider): boolean =>
  item.id !== 'offline' && item.state === 'ready' && Boolean(item.hint);

/** Where an OpenAI-compatible interface stands, unless it is here. */
const USUAL_PATH = '/v1';
const PATHS: Readonly<Record<string, string>> = { 'https://openrouter.ai': '/api/v1' };

/** What is filled in when it is picked. */
export function choiceOf(item: Provider, known: readonly Known[]): Choice {
  const baseUrl = hasAddress(item) && item.origin ? item.origin + (PATHS[item.origin] ?? USUAL_PATH) : '';
  return { key: keyOf(item), baseUrl, model: item.models[0] ?? recommendedOf(item, known) };
}

export function recommendedOf(item: Provider, known: readonly Known[]): string {
  return known.find((one) => one.provider === nameOf(item))?.recommended?.value ?? '';
}

const nameOf = (item: Provider): string => item.id.toUpperCase();

/** What the policy says now. */
export async function chosenOf(project: string, items: readonly Provider[]): Promise<Choice | null> {
  const view = await ask(api.GET('/projects/{id}/policy', { params: { path: { id: project } } }));
  const { policy } = versionOf(view);
  if (policy.llmProvider === 'OFFLINE') return { key: 'offline', baseUrl: '', model: '' };
  const baseUrl = policy.llmBaseUrl ?? '';
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
  const named = items.filter((one) => nameOf(one) === policy.llmProvider);
  const item = named.find((one) => baseUrl === '' || one.origin === origin);
  return item ? { key: keyOf(item), baseUrl, model: policy.governorModel ?? '' } : null;
}

export async function choose(project: string, item: Provider, choice: Choice, reason: string): Promise<void> {
  const path = { id: project };
  const version = versionOf(await ask(api.GET('/projects/{id}/policy', { params: { path } })));
  const policy: Policy = {
    ...version.policy,
    llmProvider: nameOf(item),
    llmBaseUrl: hasAddress(item) ? choice.baseUrl.trim() : null,
    governorModel: item.id === 'offline' ? null : choice.model.trim() || null,
  };
  // A model that is chosen reviews what is risky; where none is left, nobody could.
  const isOffline = item.id === 'offline';
  if (isOffline !== (version.policy.llmProvider === 'OFFLINE')) policy.modelPersonas = isOffline ? 'never' : 'risky';
  if (item.env) {
    const sources = keySources(policy);
    nameKeySources(policy, KEY_SOURCES.filter((source) => source === 'ENVIRONMENT' || sources.includes(source)));
  }
  if (same(policy, version.policy)) return;
  const params = { path, header: { 'If-Match': `"${version.id}"` } };
  const body = { policy: policy as unknown as Record<string, never>, reason };
  await ask(api.PUT('/projects/{id}/policy', { params, body }));
}
