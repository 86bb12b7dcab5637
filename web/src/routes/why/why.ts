// The answer to “why”, and the picture of the way that it took.

import type { paths } from '../../api/schema';
import { t, tCode } from '../../state/language.svelte';
import type { GraphEdge, GraphNode } from '../../ui/layers';

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type Why = Answer<'/blueprints/{id}/why'>;
export type TurnWhy = Answer<'/sessions/{id}/turns/{turn}/why'>;
export type PlanGraph = Answer<'/blueprints/{id}/graph'>;
export type Call = Why['calls'][number];
export type AnswerCheck = TurnWhy['answers'][number];
export type Decision = Why['decisions'][number];
export type Advice = Decision['advice'][number];
export type Enough = NonNullable<Decision['enough']>;

/** What was asked about: the whole plan, one of its steps, or the call of a model, each by its name. */
export function subjectOf({ subject }: Decision): { kind: string; name: string | null } {
  return { kind: subject.kind, name: subject.step ?? subject.model ?? null };
}

const CONSENSUS_TONES = { YES: 'ok', REVISION: 'warn', NO: 'bad' } as const;
const ANSWER_TONES = { allow: 'ok', deny: 'bad', pending: 'accent', not_asked: 'plain' } as const;
const EFFECT_TONES = { READ: 'plain', WRITE: 'warn', DELETE: 'bad', EXECUTE: 'bad' } as const;

type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'accent';

export const consensusTone = (consensus: string): Tone =>
  CONSENSUS_TONES[consensus.toUpperCase() as keyof typeof CONSENSUS_TONES] ?? 'plain';
export const answerTone = (answer: string): Tone =>
  ANSWER_TONES[answer.toLowerCase() as keyof typeof ANSWER_TONES] ?? 'plain';

/** From the review over the four gates to what came of it. */
export function path(why: Why, decision: Decision | null, isNarrow: boolean): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const review: GraphNode = {
    id: 'review',
    title: t('why.review'),
    note: tCode('consensus', why.dacs.consensus.toUpperCase()),
    tone: consensusTone(why.dacs.consensus),
  };
  const plan: GraphNode = {
    id: 'plan',
    title: tCode('task', why.task_type),
    note: tCode('effect', why.effect),
  };
  const gates = (decision?.gates ?? []).map((gate) => ({
    id: `gate-${gate.gate}`,
    title: tCode('gate', gate.gate),
    note: tCode('gate_answer', gate.answer.toLowerCase()),
    tone: answerTone(gate.answer),
  }));
  const end: GraphNode = {
    id: 'end',
    title: t('why.decision'),
    note: decision ? tCode('why_outcome', decision.outcome) : t('why.undecided'),
    tone: decision ? answerTone(decision.outcome) : 'accent',
  };
  const nodes = [review, plan, ...gates, end];
  if (isNarrow || gates.length === 0) return { nodes, edges: chained(nodes) };
  const edges: GraphEdge[] = [{ from: 'review', to: 'plan' }];
  for (const { id } of gates) edges.push({ from: 'plan', to: id }, { from: id, to: 'end' });
  return { nodes, edges };
}

/** One below the other, in the order of the record. */
function chained(nodes: readonly GraphNode[]): GraphEdge[] {
  return nodes.slice(1).map((node, at) => ({ from: nodes[at]?.id ?? '', to: node.id }));
}

/** The plan's steps; `tone` says how far each of them came. */
export function planPicture(
  plan: PlanGraph,
  say: (text: { ko: string; en: string }) => string,
  tone?: (step: string) => { tone: Tone; note: string } | null,
): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const nodes = plan.nodes.map((node) => {
    const state = tone?.(node.id) ?? null;
    return {
      id: node.id,
      title: `${node.number}. ${tCode('step_type', node.type)}`,
      note: state?.note ?? say(node.sentence).replaceAll('`', ''),
      tone: state?.tone ?? EFFECT_TONES[node.effect as keyof typeof EFFECT_TONES] ?? 'plain',
    };
  });
  const edges = plan.edges.map(({ from, to, kind }) => ({ from, to, isData: kind === 'data' }));
  return { nodes, edges };
}
