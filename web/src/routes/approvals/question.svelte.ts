// One question with its preview, kept fresh while it waits, and what became of it meanwhile.

import { ApiProblem, api, ask, type Schemas } from '../../api/client';

export type Detail = Schemas['ApprovalDetail'];

/**
 * What the reader has to be told: it is no longer what stood here. `counted`: another of several people answered; `gone`:
 * it is not theirs to see any more.
 */
export type Meanwhile = 'decided' | 'edited' | 'counted' | 'preview_changed' | 'gone';

const NOT_FOUND = 404;

export class QuestionDetail {
  readonly id: string;
  detail = $state.raw<Detail | null>(null);
  problem = $state.raw<ApiProblem | null>(null);
  meanwhile = $state.raw<Meanwhile | null>(null);
  /** An answer was given in this window. */
  isAnswered = $state(false);

  constructor(id: string) {
    this.id = id;
  }

  /** It waits, its run has not begun yet, or the reader may still take back a yes to it: worth another look. */
  get isOpen(): boolean {
    if (this.meanwhile === 'gone') return false;
    const { state, execution, may_revoke } = this.detail ?? { state: 'pending', execution: null, may_revoke: false };
    return state === 'pending' || (state === 'approved' && !execution) || may_revoke;
  }

  look = async (): Promise<void> => {
    if (this.isOpen) await this.read();
  };

  async read(): Promise<void> {
    try {
      const params = { path: { id: this.id } };
      const next = await ask(api.GET('/approvals/{id}', { params }));
      if (this.detail) this.#compare(this.detail, next);
      this.detail = next;
      this.problem = null;
    } catch (error) {
      const problem = ApiProblem.of(error);
      if (this.detail === null || !problem.isPassing) this.problem = problem;
      // To somebody who stands in it is there as long as it waits: nothing of it stays, and no button.
      if (this.detail === null || problem.status !== NOT_FOUND) return;
      this.meanwhile = 'gone';
      this.detail = null;
    }
  }

  #compare(before: Detail, next: Detail): void {
    if (before.state !== 'pending') return;
    if (next.state !== 'pending') {
      if (!this.isAnswered) this.meanwhile = next.state === 'edited' ? 'edited' : 'decided';
    } else if (JSON.stringify(before.preview) !== JSON.stringify(next.preview)) {
      this.meanwhile = 'preview_changed';
    } else if (before.given !== next.given && before.said_yes === next.said_yes) {
      this.meanwhile = 'counted';
    }
  }
}
