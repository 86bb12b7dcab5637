// Documents, their ingests and the search, each by its routes.

import { api, ask, type Schemas } from '../../api/client';

export type DocumentView = Schemas['DocumentView'];
export type IngestJob = Schemas['IngestJobView'];
export type Passage = Schemas['PassageView'];
export type Found = Schemas['FoundPassagesView'];
export type Hit = Schemas['FoundPassageView'];
export type Leg = Schemas['LegView'];
export type Trace = Schemas['SearchTraceView'];
export type Ranked = Schemas['RankedView'];
export type Facts = Schemas['DocumentFactsView'];
export type Reembedding = Schemas['ReembeddingView'];

/** What searches work with now, and what a file may have. */
export async function readFacts(): Promise<Facts> {
  return (await ask(api.GET('/info'))).documents;
}

/** A provider's model that a policy names for embeddings, as people are told of it. */
export type Embedder = Record<'provider' | 'host' | 'model', string>;

/** They run in the server. */
const BUILT_IN = new Set(['OFFLINE', 'LOCAL']);

/** Where the text of a project's documents is sent to be embedded; `null`: nowhere. */
export async function embedderOf(project: string): Promise<Embedder | null> {
  const { slots } = await ask(api.GET('/projects/{id}/models/effective', { params: { path: { id: project } } }));
  const named = slots.find(({ slot }) => slot === 'embedding')?.model;
  if (!named || BUILT_IN.has(named.provider)) return null;
  return { provider: named.provider, host: (named.origin ?? '').replace(/^[a-z]+:\/\//, ''), model: named.model };
}

/** Of one scope, the newest first: as they were added, wherever they changed since. */
export function documentsOf(scope: string, limit: number, cursor: string | null): Promise<Schemas['Page_DocumentView']> {
  const query = { scope, limit, ...(cursor === null ? {} : { cursor }) };
  return ask(api.GET('/rag/documents', { params: { query } }));
}

export function readDocument(id: string): Promise<DocumentView> {
  return ask(api.GET('/rag/documents/{id}', { params: { path: { id } } }));
}

/** Refused where it has changed since it was shown. */
export function renameDocument({ id, version }: DocumentView, title: string): Promise<DocumentView> {
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
  return ask(api.PATCH('/rag/documents/{id}', { params, body: { title } }));
}

export async function deleteDocument(id: string): Promise<void> {
  await ask(api.DELETE('/rag/documents/{id}', { params: { path: { id } } }));
}

/** In the document's order from that number on: a page's cursor is the number before it. */
export function passagesFrom(id: string, from: number, limit: number): Promise<Schemas['Page_PassageView']> {
  const query = { limit, ...(from === 0 ? {} : { cursor: String(from - 1) }) };
  return ask(api.GET('/rag/documents/{id}/passages', { params: { path: { id }, query } }));
}

/** Of one scope, newest first. */
export function jobsOf(scope: string, limit: number): Promise<Schemas['Page_IngestJobView']> {
  return ask(api.GET('/rag/jobs', { params: { query: { scope, limit } } }));
}

export function cancelJob(id: string): Promise<IngestJob> {
  return ask(api.DELETE('/rag/jobs/{id}', { params: { path: { id } } }));
}

/** As the person here: what is everybody's, their own, and that project's. */
export function searchDocuments(project: string, text: string, limit: number): Promise<Found> {
  return ask(api.POST('/rag/search', { body: { text, project, limit } }));
}

/** Texts without a vector get one in the background: all on the server, or a project's by the model that its policy names. */
export function reembed(project: string | null): Promise<Reembedding> {
  if (project === null) return ask(api.POST('/rag/reembed'));
  return ask(api.POST('/rag/projects/{id}/reembed', { params: { path: { id: project } } }));
}
