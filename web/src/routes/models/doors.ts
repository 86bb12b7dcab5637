// The four things that can be done with keys, for each of those who hold them.

import { api, ask, type Schemas } from '../../api/client';
import type { Key, KeyCheck } from './model';

export const HOLDERS = ['USER', 'PROJECT', 'SERVER'] as const;
export type Holder = (typeof HOLDERS)[number];

export interface Door {
  list: () => Promise<readonly Key[]>;
  /** `revision`: of the key that it replaces; null where there is none. */
  put: (provider: string, body: Schemas['PutModelKey'], revision: number | null) => Promise<Key>;
  remove: (provider: string, revision: number) => Promise<unknown>;
  verify: (provider: string) => Promise<KeyCheck>;
}

const slug = (provider: string): string => provider.toLowerCase();
const of = (revision: number): { 'If-Match': string } => ({ 'If-Match': `"${revision}"` });
const header = (revision: number | null): { header?: { 'If-Match': string } } => (revision === null ? {} : { header: of(revision) });

function mine(): Door {
  const path = (provider: string): { provider: string } => ({ provider: slug(provider) });
  return {
    list: async () => (await ask(api.GET('/keys'))).items,
    put: (provider, body, revision) => ask(api.PUT('/keys/{provider}', { params: { path: path(provider), ...header(revision) }, body })),
    remove: (provider, revision) => ask(api.DELETE('/keys/{provider}', { params: { path: path(provider), header: of(revision) } })),
    verify: (provider) => ask(api.POST('/keys/{provider}/verify', { params: { path: path(provider) } })),
  };
}

function ofProject(id: string): Door {
  const path = (provider: string): { id: string; provider: string } => ({ id, provider: slug(provider) });
  return {
    list: async () => (await ask(api.GET('/projects/{id}/keys', { params: { path: { id } } }))).items,
    put: (provider, body, revision) =>
      ask(api.PUT('/projects/{id}/keys/{provider}', { params: { path: path(provider), ...header(revision) }, body })),
    remove: (provider, revision) =>
      ask(api.DELETE('/projects/{id}/keys/{provider}', { params: { path: path(provider), header: of(revision) } })),
    verify: (provider) => ask(api.POST('/projects/{id}/keys/{provider}/verify', { params: { path: path(provider) } })),
  };
}

function ofServer(): Door {
  const path = (provider: string): { provider: string } => ({ provider: slug(provider) });
  return {
    list: async () => (await ask(api.GET('/server/keys'))).items,
    put: (provider, body, revision) =>
      ask(api.PUT('/server/keys/{provider}', { params: { path: path(provider), ...header(revision) }, body })),
    remove: (provider, revision) =>
      ask(api.DELETE('/server/keys/{provider}', { params: { path: path(provider), header: of(revision) } })),
    verify: (provider) => ask(api.POST('/server/keys/{provider}/verify', { params: { path: path(provider) } })),
  };
}

export function doorOf(holder: Holder, project: string): Door {
  if (holder === 'USER') return mine();
  return holder === 'PROJECT' ? ofProject(project) : ofServer();
}
