// What led to what in a turn: chips for the strip, and a picture.

import { t, tCode } from '../../state/language.svelte';
import type { FlowMark } from '../../state/turns';
import { short } from '../../text/format';
import type { GraphEdge, GraphNode } from '../../ui/layers';
import { nameOf, type Part } from './parts';
import { isRecall } from './recall';
import type { Why } from './why';

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'accent';

export interface Chip {
  /** The mark that it stands for. */
  seq: number;
  text: string;
  tone: Tone;
  /** A step of the way, joined by arrows; else a fact beside it. */
  isStep: boolean;
}

export const BLUEPRINT_DIGITS = 4;

const TONES: Readonly<Record<string, Tone>> = {
  signal_affirm: 'ok',
  signal_deny: 'warn',
  signal_cancel: 'warn',
  proposed_failed: 'bad',
  verdict_yes: 'ok',
  verdict_revision: 'warn',
  verdict_no: 'bad',
  drawn_requester: 'accent',
  drawn_another_person: 'accent',
  drawn_refused: 'bad',
  not_drawable: 'bad',
  approved: 'ok',
  refused: 'warn',
  expired: 'warn',
  edited: 'warn',
  ruling_allow: 'ok',
  ruling_deny: 'bad',
  ruling_unavailable: 'bad',
  finished_succeeded: 'ok',
  finished_failed: 'bad',
  finished_cancelled: 'warn',
  finished_indeterminate: 'warn',
};

const STOPS = new Set([
  'verdict_no', 'verdict_revision', 'not_drawable', 'drawn_refused', 'proposed_failed', 'ruling_deny', 'finished_failed',
]);

/** It went no further here: what was answered to it says why. */
export const isStop = (mark: FlowMark): boolean => STOPS.has(nameOf(mark));

/** Its own codes; else those that the replies name: concerns of reviewers, reasons why there is no plan. */
export function codesOf(mark: FlowMark, part: Part): readonly string[] {
  if (mark.codes.length > 0 || !isStop(mark)) return mark.codes;
  const named = part.said.flatMap((one) => (one.kind === 'reply' ? Object.values(one.params) : []));
  return [...new Set(named.flat().flatMap(codeOf))];
}

function codeOf(value: unknown): string[] {
  if (typeof value === 'string') return /^[A-Z][A-Z0-9_]+$/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || !('code' in value)) return [];
  return codeOf(value.code);
}

export const toneOf = (mark: FlowMark): Tone => TONES[nameOf(mark)] ?? 'plain';

const isAsking = (mark: FlowMark): boolean =>
  mark.input === 'drawn' && (mark.outcome === 'requester' || mark.outcome === 'another_person');

/** Marks that say nothing by themselves: words, a button that is named above, and the report after a run. */
function isQuiet(mark: FlowMark, part: Part): boolean {
  if (mark.input === 'signal' && (mark.outcome === 'say' || isRecall(mark.outcome))) return true;
  if (mark.input !== 'proposed') return false;
  const isReport = part.flow.some((one) => one.input === 'finished' && one.seq < mark.seq);
  // A plan that a person is asked about: that it is asked says more than that it was proposed.
  const isAsked = mark.outcome === 'execute' && part.flow.some(isAsking);
  return isReport || isAsked;
}

/** What the built-in model is less sure of than this is said in the colour of a warning. */
const SURE_PERCENT = 60;

export function chips(part: Part): Chip[] {
  const said = part.flow.filter((mark) => !isQuiet(mark, part)).flatMap((mark) => chipsOf(mark, part));
  return [...said, ...part.flow.flatMap(sureness)];
}

function sureness({ seq, confidence }: FlowMark): Chip[] {
  if (confidence === null) return [];
  const tone = confidence < SURE_PERCENT ? 'warn' : 'plain';
  return [{ seq, text: t('decision.sure', { percent: confidence }), tone, isStep: false }];
}

function chipsOf(mark: FlowMark, part: Part): Chip[] {
  const { seq } = mark;
  const chip = (text: string, isStep: boolean, tone = toneOf(mark)): Chip => ({ seq, text, tone, isStep });
  const named = tCode('chip', nameOf(mark));
  if (mark.input === 'drawn') {
    const plan = t('decision.blueprint', { id: short(mark.digest ?? '', BLUEPRINT_DIGITS) });
    const asked = mark.outcome === 'nothing' ? [] : [chip(named, true)];
    return [...asked, chip(plan, false, 'plain')];
  }
  if (nameOf(mark) === 'ruling_allow') {
    const isSaid = part.flow.some((one) => nameOf(one) === 'proposed_execute');
    const step = isSaid ? [] : [chip(tCode('chip', 'proposed_execute'), true, 'plain')];
    return [...step, chip(t('decision.gates', { passed: 4, all: 4 }), false)];
  }
  // What was proposed and went no further is called a proposal.
  const isLet = part.flow.some((one) => nameOf(one) === 'ruling_allow');
  if (nameOf(mark) === 'proposed_execute' && !isLet) return [chip(tCode('chip', 'proposed_only'), true)];
  const isFact = mark.input === 'verdict' || mark.input === 'shadowed' || mark.input === 'ruling';
  return [chip(named, !isFact && mark.input !== 'finished')];
}

/** Steps of the way first, facts behind them. */
export function strip(part: Part): { steps: Chip[]; facts: Chip[] } {
  const all = chips(part);
  return { steps: all.filter((chip) => chip.isStep), facts: all.filter((chip) => !chip.isStep) };
}

/** The way from what was heard to what came of it; reviewers and gates stand side by side. */
export function picture(
  parts: readonly Part[], whyOf: (part: Part) => Why | null,
): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const rows = parts.flatMap((part) => part.flow.map((mark) => [nodeOf(mark), ...besides(mark, whyOf(part))]));
  const nodes = rows.flat();
  const edges: GraphEdge[] = [];
  let ends: string[] = [];
  for (const [first, ...beside] of rows) {
    if (!first) continue;
    edges.push(...ends.map((from) => ({ from, to: first.id })));
    edges.push(...beside.map(({ id }) => ({ from: first.id, to: id })));
    ends = beside.length > 0 ? beside.map(({ id }) => id) : [first.id];
  }
  return { nodes, edges };
}

const nodeOf = (mark: FlowMark): GraphNode => ({
  id: String(mark.seq),
  title: tCode('mark', mark.input),
  note: tCode('chip', nameOf(mark)),
  tone: toneOf(mark),
});

function besides(mark: FlowMark, why: Why | null): GraphNode[] {
  if (mark.input === 'verdict') {
    return (why?.dacs.opinions ?? []).map(({ persona, vote, model }) => ({
      id: `${mark.seq}.${persona}${model ? '.model' : ''}`,
      title: model ? t('decision.model_persona', { persona: tCode('persona', persona.toUpperCase()) }) : tCode('persona', persona.toUpperCase()),
      note: tCode('vote', vote.toUpperCase()),
      tone: voteTone(vote),
    }));
  }
  if (mark.input !== 'ruling' || why === null) return [];
  return (rulingOf(why)?.gates ?? []).map(({ gate, answer }) => ({
    id: `${mark.seq}.${gate}`,
    title: tCode('gate_short', gate),
    note: tCode('gate_answer', answer),
    tone: answer === 'allow' ? 'ok' : 'bad',
  }));
}

const VOTES: Readonly<Record<string, Tone>> = { APPROVE: 'ok', ABSTAIN: 'warn' };
export const voteTone = (vote: string): Tone => VOTES[vote.toUpperCase()] ?? 'bad';

/** The ruling on the whole plan: its steps are ruled on again, each by itself. */
export function rulingOf(why: Why): Why['decisions'][number] | null {
  return why.decisions.findLast((decision) => decision.subject.kind === 'blueprint') ?? null;
}
