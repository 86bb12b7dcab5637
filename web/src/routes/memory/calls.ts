// The memory of a person and of a project, each by its routes.

import { api, ask, type Schemas } from '../../api/client';

export type MemoryView = Schemas['MemoryView'];
export type MemoryVersion = Schemas['MemoryVersionView'];

/** Whose memory. */
export interface MemoryPlace {
  scope: MemoryView['scope'];
  id: string;
}

export function readMemory({ scope, id }: MemoryPlace): Promise<MemoryView> {
  const params = { path: { id } };
  return scope === 'user'
    ? ask(api.GET('/users/{id}/memory', { params }))
    : ask(api.GET('/projects/{id}/memory', { params }));
}

/** In place of the version that was seen, and of no other. */
export function writeMemory({ scope, id }: MemoryPlace, seen: number, text: string): Promise<MemoryView> {
  const params = { path: { id }, header: { 'If-Match': `"${seen}"` } };
  const body = { text };
  return scope === 'user'
    ? ask(api.PUT('/users/{id}/memory', { params, body }))
    : ask(api.PUT('/projects/{id}/memory', { params, body }));
}

/** Newest first. */
export function versionsOf({ scope, id }: MemoryPlace, limit: number, cursor: string | null): Promise<Schemas['Page_MemoryVersionView']> {
  const params = { path: { id }, query: { limit, ...(cursor === null ? {} : { cursor }) } };
  return scope === 'user'
    ? ask(api.GET('/users/{id}/memory/versions', { params }))
    : ask(api.GET('/projects/{id}/memory/versions', { params }));
}

/** Of the text as a file. */
export function exportPath({ scope, id }: MemoryPlace): string {
  return `/${scope === 'user' ? 'users' : 'projects'}/${id}/memory/export`;
}
