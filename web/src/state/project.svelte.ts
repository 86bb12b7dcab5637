// The projects that one may enter, and the one that is open.

import { api, ask, type Schemas } from '../api/client';
import { me } from './me.svelte';

export type Project = Schemas['ProjectView'];

const STORED = 'wiiiv.project';
const PAGES_MAX = 10;

let list = $state.raw<Project[]>([]);
let chosen = $state<string | null>(localStorage.getItem(STORED));

export const projects = {
  get list(): readonly Project[] {
    return list;
  },
  /** The open one: the one chosen last, the demo's, one's own, any. */
  get current(): string | null {
    const known = (id: string | null | undefined): id is string =>
      list.some((project) => project.id === id);
    const wanted = [chosen, me.info?.demo?.project, me.person?.personal_project];
    return wanted.find(known) ?? list[0]?.id ?? null;
  },
  name(id: string): string {
    return list.find((project) => project.id === id)?.name ?? id.slice(0, 8);
  },
};

export async function loadProjects(): Promise<void> {
  const found: Project[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) };
    const answer = await ask(api.GET('/projects', { params: { query } }));
    found.push(...answer.items);
    if (!answer.next_cursor) break;
    cursor = answer.next_cursor;
  }
  list = found;
}

export function chooseProject(id: string): void {
  chosen = id;
  localStorage.setItem(STORED, id);
}
