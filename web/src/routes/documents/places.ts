// Whose documents: who reads them, who changes them, and the addresses that lead there.

import type { Role } from '../../state/members';

/** In the order in which fewer people read them. */
export const PLACES = ['own', 'project', 'global'] as const;
export type Place = (typeof PLACES)[number];

const OWN = 'user:';
const OF_PROJECT = 'project:';

/** As the server writes it. */
export function scopeOf(place: Place, { user, project }: { user: string; project: string }): string {
  if (place === 'own') return OWN + user;
  return place === 'project' ? OF_PROJECT + project : 'global';
}

export function placeOf(scope: string): Place {
  if (scope.startsWith(OWN)) return 'own';
  return scope.startsWith(OF_PROJECT) ? 'project' : 'global';
}

/** Of a person or a project; empty where it is everybody's. */
export function idOf(scope: string): string {
  return scope.split(':')[1] ?? '';
}

/** Where a file is given for that scope. */
export function ingestPath(scope: string): string {
  const place = placeOf(scope);
  if (place === 'global') return '/rag/global/ingest';
  return `/rag/${place === 'own' ? 'users' : 'projects'}/${encodeURIComponent(idOf(scope))}/ingest`;
}

/** The server judges every request itself: this only keeps away what would be refused. */
export function mayWriteIn(place: Place, mine: readonly Role[], isAdmin: boolean): boolean {
  if (place === 'own') return true;
  return place === 'global' ? isAdmin : mine.some((role) => role === 'owner' || role === 'editor');
}

/** The page of a document, in a project that one is in. */
export function documentPath(project: string, document: string): string {
  return `/p/${project}/documents/${document}`;
}

/** Its page with that passage marked: what a citation opens. `version`: which the document had when it was cited. */
export function passagePath(project: string, document: string, passage: number, version: number | null = null): string {
  return `${documentPath(project, document)}?passage=${passage}${version === null ? '' : `&version=${version}`}`;
}

/** A number of an address; `null` where it is none. */
export function numberOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Passages that are shown at once. */
export const WINDOW = 20;

/** Where the stretch begins that this passage stands in. */
export function windowOf(passage: number): number {
  return passage - (passage % WINDOW);
}
