// Who belongs to a project, and what the person here may do in it.

import { api, ask, type Schemas } from '../api/client';
import { me } from './me.svelte';

export type Role = Schemas['RoleName'];

export type Member = Schemas['MemberView'];

export interface Members {
  all: readonly Member[];
  /** Roles of the person here. */
  mine: readonly Role[];
  name(user: string): string | null;
}

export async function membersOf(project: string): Promise<Members> {
  const page = await ask(api.GET('/projects/{id}/members', { params: { path: { id: project } } }));
  const names = new Map(page.items.map((member) => [member.user, member.name]));
  const own = page.items.find((member) => member.user === me.person?.user);
  return { all: page.items, mine: own?.roles ?? [], name: (user) => names.get(user) ?? null };
}
