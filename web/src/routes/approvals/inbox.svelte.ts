// The questions that one may see: by filter, page by page, kept fresh.

import { ApiProblem, api, ask, type Schemas } from '../../api/client';
import { t } from '../../state/language.svelte';

export type Question = Schemas['ApprovalView'];
export type StateName = Schemas['StateName'];

export interface Filters {
  /** `null`: in any state. */
  state: StateName | null;
  project: string | null;
  requester: 'me' | 'others' | null;
}

const PAGE_ROWS = 25;
const PAGES_MAX = 20;

export class Inbox {
  rows = $state.raw<readonly Question[] | null>(null);
  problem = $state.raw<ApiProblem | null>(null);
  hasMore = $state(false);
  isLoadingMore = $state(false);
  /** What changed elsewhere, for the one who looks and for the one who listens. */
  news = $state('');

  #filters: Filters | null = null;
  #pages = 1;
  #load = 0;
  /** Decided in this window: no news. */
  #own = new Set<string>();

  async filter(filters: Filters): Promise<void> {
    this.#filters = filters;
    this.#pages = 1;
    this.rows = null;
    this.news = '';
    await this.#read(false);
  }

  async more(): Promise<void> {
    this.#pages = Math.min(PAGES_MAX, this.#pages + 1);
    this.isLoadingMore = true;
    await this.#read(false);
    this.isLoadingMore = false;
  }

  /** A look in between: what fails passes. */
  look = (): Promise<void> => this.#read(this.rows !== null);

  decidedHere(id: string): void {
    this.#own.add(id);
    void this.look();
  }

  async #read(isLook: boolean): Promise<void> {
    const load = ++this.#load;
    try {
      const { rows, hasMore } = await this.#fetch();
      if (load !== this.#load) return;
      if (isLook) this.#tell(rows, hasMore);
      this.rows = rows;
      this.hasMore = hasMore;
      this.problem = null;
    } catch (error) {
      if (load !== this.#load) return;
      const problem = ApiProblem.of(error);
      if (!isLook || !problem.isPassing) this.problem = problem;
    }
  }

  async #fetch(): Promise<{ rows: Question[]; hasMore: boolean }> {
    const { state, project, requester } = this.#filters ?? { state: null, project: null, requester: null };
    const chosen = {
      ...(state ? { state } : {}),
      ...(project ? { project } : {}),
      ...(requester ? { requester } : {}),
    };
    const rows: Question[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < this.#pages; page++) {
      const query = { limit: PAGE_ROWS, ...chosen, ...(cursor ? { cursor } : {}) };
      const answer = await ask(api.GET('/approvals', { params: { query } }));
      rows.push(...answer.items);
      cursor = answer.next_cursor ?? undefined;
      if (!cursor) break;
    }
    return { rows, hasMore: cursor !== undefined };
  }

  #tell(rows: readonly Question[], hasMore: boolean): void {
    const before = new Map((this.rows ?? []).map((row) => [row.id, row.state]));
    const after = new Map(rows.map((row) => [row.id, row.state]));
    const arrived = rows.filter((row) => !before.has(row.id) && row.state === 'pending').length;
    const isDecided = ([id, state]: [string, StateName]): boolean =>
      state === 'pending' && !this.#own.has(id) && (after.get(id) ?? (hasMore ? state : null)) !== state;
    const decided = [...before].filter(isDecided).length;
    const news = [
      arrived > 0 ? t('inbox.arrived', { count: arrived }) : '',
      decided > 0 ? t('inbox.decided_elsewhere', { count: decided }) : '',
    ].filter(Boolean);
    if (news.length > 0) this.news = news.join(' ');
  }
}
