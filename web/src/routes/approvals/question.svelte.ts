// One question with its preview, kept fresh while it waits, and what became of it meanwhile.

import { ApiProblem, api, ask, type Schemas } from '../../api/client';

export type Detail = Schemas['ApprovalDetail'];

/** What the reader has to be told: it is no longer what stood here. */
export type Meanwhile = 'decided' | 'preview_changed';

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
    }
  }

  #compare(before: Detail, next: Detail): void {
    if (before.state !== 'pending') return;
    if (next.state !== 'pending') {
      if (!this.isAnswered) this.meanwhile = 'decided';
    } else if (JSON.stringify(before.preview) !== JSON.stringify(next.preview)) {
      this.meanwhile = 'preview_changed';
    }
  }
}
