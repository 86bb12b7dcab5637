// What plans say, by id: asked once, a few at a time.

import { api, ask } from '../../api/client';
import type { PlanGraph } from '../why/why';

const AT_ONCE_MAX = 4;

export class Plans {
  known = $state.raw<Readonly<Record<string, PlanGraph | null>>>({});
  #asked = new Set<string>();
  #waiting: string[] = [];
  #running = 0;

  want(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#asked.has(id)) continue;
      this.#asked.add(id);
      this.#waiting.push(id);
    }
    while (this.#running < AT_ONCE_MAX && this.#waiting.length > 0) void this.#next();
  }

  /** `null` for a plan whose texts have gone. */
  async #next(): Promise<void> {
    const id = this.#waiting.shift();
    if (id === undefined) return;
    this.#running += 1;
    const call = ask(api.GET('/blueprints/{id}/graph', { params: { path: { id } } }));
    const plan = await call.catch(() => null);
    this.known = { ...this.known, [id]: plan };
    this.#running -= 1;
    void this.#next();
  }
}
