// What can be asked about what was done, by a button: code answers from the record.

import type { FlowMark, Turn } from '../../state/turns';
import { nameOf } from './parts';

/** As the control and the flow's mark are called; in the order of the buttons. */
export const RECALLS = ['why', 'again', 'show_saved', 'list_files'] as const;
export type Recall = (typeof RECALLS)[number];

export const isRecall = (outcome: string | null): outcome is Recall => RECALLS.some((recall) => recall === outcome);

/** The button that began the turn. */
export function pressedOf({ message, flow: [first] }: Turn): Recall | null {
  if (message !== null || first?.input !== 'signal') return null;
  return isRecall(first.outcome) ? first.outcome : null;
}

const DECIDED = new Set(['verdict', 'drawn', 'not_drawable', 'approved', 'refused', 'expired', 'edited', 'ruling', 'finished']);
const WISHED = new Set(['proposed_ask', 'proposed_confirm', 'proposed_execute']);
/** What was at work before is ended by these. */
const ENDING = new Set(['signal_deny', 'signal_cancel', 'signal_cancel_all', 'signal_leave_out', 'signal_reset']);

const isDecision = ({ input }: FlowMark): boolean => DECIDED.has(input);

/** A request was at work, and not talk alone. `turns` holds the turn. */
export function isAtWork(turn: Turn, turns: readonly Turn[]): boolean {
  if (turn.flow.some((mark) => isDecision(mark) || WISHED.has(nameOf(mark)))) return true;
  const [first] = turn.flow;
  if (turn.outcome !== 'cancelled' || first === undefined || !ENDING.has(nameOf(first))) return false;
  const at = turns.findIndex(({ id }) => id === turn.id);
  const before = at > 0 ? turns[at - 1] : undefined;
  return before !== undefined && isAtWork(before, turns);
}

/** It came to nothing. */
export const isLost = ({ outcome }: Turn): boolean => outcome !== null && outcome !== 'done' && outcome !== 'pending';

/** Steps that leave a file behind, as the plan names them. */
const SAVES = new Set(['write', 'save']);
const hasSaved = ({ runs }: Turn): boolean =>
  runs.some(({ steps }) => steps.some(({ step, state }) => state === 'succeeded' && SAVES.has(step)));

const isExplained = ({ flow }: Turn): boolean => flow.some((mark) => nameOf(mark) === 'proposed_told');

/** What is offered under a turn that has ended; behind an explanation, what the turn that it is of offers beside it. */
export function recallsOf(turn: Turn, turns: readonly Turn[]): readonly Recall[] {
  const before = isExplained(turn) ? turns[turns.findIndex(({ id }) => id === turn.id) - 1] : undefined;
  if (before !== undefined) return recallsOf(before, turns).filter((recall) => recall !== 'why');
  const wasAtWork = isAtWork(turn, turns);
  const last = turn.flow.at(-1);
  // A question for what is lacking decides nothing yet.
  const isDecided = wasAtWork && (turn.flow.some(isDecision) || isLost(turn)) && (last === undefined || nameOf(last) !== 'proposed_ask');
  const offered: Record<Recall, boolean> = {
    why: isDecided,
    again: wasAtWork && isLost(turn),
    show_saved: hasSaved(turn),
    list_files: true,
  };
  return RECALLS.filter((recall) => offered[recall]);
}
