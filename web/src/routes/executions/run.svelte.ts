// One run, followed until it is over.

import { ApiProblem, api, ask, type Schemas } from '../../api/client';

export type Detail = Schemas['ExecutionDetail'];
export type Attempt = Schemas['AttemptView'];

const OVER = new Set(['succeeded', 'failed', 'cancelled']);

export class Run {
  readonly id: string;
  detail = $state.raw<Detail | null>(null);
  problem = $state.raw<ApiProblem | null>(null);
  /** The newest look failed: what is shown may be old. */
  isAway = $state(false);

  constructor(id: string) {
    this.id = id;
  }

  get isOver(): boolean {
    return this.detail !== null && OVER.has(this.detail.state);
  }

  /** Also to be given to `whileSeen`: after the end it asks no more. */
  look = async (): Promise<void> => {
    if (!this.isOver) await this.read();
  };

  async read(): Promise<void> {
    try {
      const params = { path: { id: this.id } };
      this.detail = await ask(api.GET('/executions/{id}', { params }));
      this.problem = null;
      this.isAway = false;
    } catch (error) {
      const problem = ApiProblem.of(error);
      this.isAway = this.detail !== null && problem.isPassing;
      if (!this.isAway) this.problem = problem;
    }
  }
}

const TONES = {
  succeeded: 'ok',
  failed: 'bad',
  cancelled: 'warn',
  indeterminate: 'warn',
  in_doubt: 'warn',
  running: 'accent',
} as const;

export function toneOf(state: string): 'plain' | 'ok' | 'bad' | 'warn' | 'accent' {
  return TONES[state as keyof typeof TONES] ?? 'plain';
}
