// A turn may end one job and begin the next: which of its marks and words belong to which plan.

import type { FlowMark, Said, Turn } from '../../state/turns';

/** What of a turn is about one plan, or came to none. */
export interface Part {
  plan: string | null;
  flow: readonly FlowMark[];
  said: readonly Said[];
}

export const nameOf = (mark: FlowMark): string =>
  mark.outcome === null ? mark.input : `${mark.input}_${mark.outcome}`;

/** Behind these nothing more comes of a job but words about it. */
const ENDS = new Set([
  'signal_deny', 'signal_cancel', 'signal_cancel_all', 'verdict_no', 'drawn_refused', 'refused', 'expired', 'edited', 'ruling_deny',
]);
/** Nor behind these, unless something is proposed instead. */
const ENDS_UNLESS_PROPOSED = new Set(['verdict_revision', 'not_drawable']);

/** In their order; at least one where the turn has marks at all. */
export function partsOf(turn: Turn, turns: readonly Turn[]): readonly Part[] {
  const parts: { plan: string | null; flow: FlowMark[] }[] = [];
  for (const mark of turn.flow) {
    const plan = planOf(mark, turn, turns);
    const part = parts.at(-1);
    if (part === undefined || isOfNext(mark, plan, part)) parts.push({ plan, flow: [mark] });
    else {
      part.flow.push(mark);
      part.plan ??= plan;
    }
  }
  const begins = parts.map(({ flow }) => flow[0]?.seq ?? 0);
  return parts.map((part, at) => ({ ...part, said: saidBetween(turn, begins[at] ?? 0, begins[at + 1] ?? Infinity) }));
}

const saidBetween = (turn: Turn, from: number, to: number): readonly Said[] =>
  turn.said.filter(({ seq }) => seq > from && seq < to);

function isOfNext(mark: FlowMark, plan: string | null, { plan: mine, flow }: Omit<Part, 'said'>): boolean {
  if (plan !== null && mine !== null) return plan !== mine;
  return mark.input === 'verdict' && isOver(flow);
}

function isOver(flow: readonly FlowMark[]): boolean {
  const last = flow.at(-1);
  const isLeft = last !== undefined && ENDS_UNLESS_PROPOSED.has(nameOf(last));
  return isLeft || flow.some((mark) => mark.input === 'finished' || ENDS.has(nameOf(mark)));
}

/** The plan of a run that the turn tells of. */
export function planOfRun(execution: string, turn: Turn, turns: readonly Turn[]): string | null {
  const mark = turn.flow.find((one) => one.execution === execution);
  return mark ? planOf(mark, turn, turns) : null;
}

/** Its own, or the one whose digest or run it names; of a review, the one that came of it. */
function planOf(mark: FlowMark, turn: Turn, turns: readonly Turn[]): string | null {
  if (mark.blueprint !== null) return mark.blueprint;
  const past = (is: (one: FlowMark) => boolean): FlowMark | undefined => newest(is, mark.seq, turn, turns);
  if (mark.digest !== null) return past((one) => one.blueprint !== null && one.digest === mark.digest)?.blueprint ?? null;
  if (mark.execution !== null) {
    const ruling = past((one) => one.digest !== null && one.execution === mark.execution);
    return ruling ? planOf(ruling, turn, turns) : null;
  }
  if (mark.input !== 'verdict') return null;
  const next = turn.flow.find((one) => one.seq > mark.seq && one.input !== 'shadowed');
  return next?.blueprint ?? null;
}

/** Not behind `seq`: what is drawn again under the same digest is another plan. */
function newest(
  is: (mark: FlowMark) => boolean, seq: number, turn: Turn, turns: readonly Turn[],
): FlowMark | undefined {
  const isIt = (mark: FlowMark): boolean => mark.seq <= seq && is(mark);
  const here = turn.flow.findLast(isIt);
  return here ?? turns.findLast(({ flow }) => flow.some(isIt))?.flow.findLast(isIt);
}

export type Card = Said & { kind: 'preview' };

/**
 * The preview that this reply shows once more: its card is drawn, not its words. `null` of any other
 * reply, and where the preview stands before what was loaded.
 */
export function cardOf(said: Said, turns: readonly Turn[]): Card | null {
  if (said.kind !== 'reply' || (said.reply !== 'waiting' && !isStillWaiting(said))) return null;
  const digest = said.params['digest'];
  const isIt = (one: Said): one is Card =>
    one.kind === 'preview' && one.seq < said.seq && (typeof digest !== 'string' || one.digest === digest);
  return turns.flatMap((turn) => turn.said.filter(isIt)).at(-1) ?? null;
}

const isStillWaiting = (said: Said & { kind: 'reply' }): boolean =>
  said.reply === 'still_waits' && said.params['aside'] === false;

/** Its card stands again behind `seq`. */
export function isShownBelow(card: Card, seq: number, turns: readonly Turn[]): boolean {
  const again = (said: Said): boolean => said.seq > seq && cardOf(said, turns)?.approval === card.approval;
  return turns.some((turn) => turn.said.some(again));
}
