// One's own profile in a project, by its routes.

import { api, ask, type Schemas } from '../../api/client';

export type ProfileView = Schemas['ProfileView'];
export type ProfileSchema = Schemas['ProfileSchemaView'];
export type SchemaSlot = Schemas['ProfileSchemaSlotView'];
export type SlotValue = Schemas['ProfileValueView'];
export type PendingChange = Schemas['ProfilePendingView'];
export type ProfileVersion = Schemas['ProfileVersionView'];
export type ProfileEdit = Schemas['ProfileEditBody'];

export function readProfile(id: string): Promise<ProfileView> {
  return ask(api.GET('/projects/{id}/profile', { params: { path: { id } } }));
}

export function schemaOf(id: string): Promise<ProfileSchema> {
  return ask(api.GET('/projects/{id}/profile/schema', { params: { path: { id } } }));
}

const header = (seen: number): { 'If-Match': string } => ({ 'If-Match': `"${seen}"` });

export function change(id: string, seen: number, edit: ProfileEdit): Promise<ProfileView> {
  const params = { path: { id }, header: header(seen) };
  return ask(api.PUT('/projects/{id}/profile', { params, body: { changes: [edit] } }));
}

/** An answer that is given again, by its idempotency key, has no values: they are read anew. */
async function posted(id: string, call: Promise<ProfileView | undefined>): Promise<ProfileView> {
  return (await call) ?? readProfile(id);
}

/** A yes or a no to what waits. */
export function answer(id: string, seen: number, waits: number, yes: boolean): Promise<ProfileView> {
  const params = { path: { id, change: waits }, header: header(seen) };
  return posted(
    id,
    yes
      ? ask(api.POST('/projects/{id}/profile/pending/{change}/accept', { params }))
      : ask(api.POST('/projects/{id}/profile/pending/{change}/drop', { params })),
  );
}

/** `null`: to the version before the current one. */
export function undo(id: string, seen: number, to: number | null): Promise<ProfileView> {
  const params = { path: { id }, header: header(seen) };
  return posted(id, ask(api.POST('/projects/{id}/profile/undo', { params, body: { to } })));
}

export async function eraseProfile(id: string): Promise<void> {
  await ask(api.DELETE('/projects/{id}/profile', { params: { path: { id } } }));
}

/** Newest first. */
export function versionsOf(id: string, limit: number, cursor: string | null): Promise<Schemas['Page_ProfileVersionView']> {
  const query = { limit, ...(cursor === null ? {} : { cursor }) };
  return ask(api.GET('/projects/{id}/profile/versions', { params: { path: { id }, query } }));
}
