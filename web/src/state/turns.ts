// Folds a session's events into turns. Pure: what came twice changes nothing.

import type { Schemas } from '../api/client';

export type SessionEvent = Schemas['EventView'];
export type Outcome = 'done' | 'error' | 'denied' | 'pending' | 'cancelled';

export interface FlowMark {
  seq: number;
  at: string;
  input: string;
  outcome: string | null;
  codes: readonly string[];
  taskType: string | null;
  /** In per cent, of the built-in model. */
  confidence: number | null;
  blueprint: string | null;
  digest: string | null;
  execution: string | null;
}

export interface StepMark {
  step: string;
  attempt: number;
  state: 'running' | 'succeeded' | 'failed';
  code: string;
}

/** One execution, as this turn tells of it: a turn may hold several. */
export interface RunMark {
  execution: string;
  /** Of the event that names it first. */
  seq: number;
  steps: readonly StepMark[];
  isOver: boolean;
}

export type Author = Schemas['Author'];

/** An answer to a question that began a turn; or the end of a hold or of a yes, which are of no turn. */
export interface DecisionMade {
  answer: 'approved' | 'rejected' | 'edited' | 'cleared' | 'revoked';
  /** What was decided on, in both languages; null where it is not known. */
  subject?: Schemas['LocalizedText'] | null;
  reason: string;
  /** Where several people have to approve: how many had with this yes, and how many have to. */
  given?: number | null;
  approvers?: number | null;
  /** Whose right was used, where it is another person’s. */
  on_behalf_of_name?: string | null;
}

/** What a check found wrong with an answer. */
export type Finding = Schemas['AnswerFindingView'];

/** A passage that an answer rests on, by its number in the text. */
export type Citation = NonNullable<(SessionEvent & { event: 'reply' })['citations']>[number];

export type Said =
  | {
      kind: 'reply';
      author: Author;
      seq: number;
      reply: string;
      params: Record<string, unknown>;
      message: string;
      text: string;
      /** It was given all the same. */
      findings: readonly Finding[];
      citations: readonly Citation[];
    }
  | {
      kind: 'ask';
      author: Author;
      seq: number;
      taskType: string;
      missing: readonly string[];
      message: string;
      text: string;
      form: Schemas['FormView'] | null;
    }
  | { kind: 'preview'; seq: number; approval: string; blueprint: string; digest: string; text: string };

export interface Turn {
  id: string;
  at: string;
  /** Whoever began it; null where it began by itself. */
  author: Author | null;
  /** What the conversation's owner said; null for a button and a decision. */
  message: string | null;
  /** What it is answered in; null before it is known. */
  language: string | null;
  /** Somebody's decision on a question began it. */
  decision: DecisionMade | null;
  flow: readonly FlowMark[];
  said: readonly Said[];
  runs: readonly RunMark[];
  outcome: string | null;
}

export function newTurn(id: string, at: string): Turn {
  return { id, at, author: null, message: null, language: null, decision: null, flow: [], said: [], runs: [], outcome: null };
}

/** The turn with one event more. */
export function folded(turn: Turn, event: SessionEvent): Turn {
  switch (event.event) {
    case 'accepted':
      return { ...turn, at: event.at, author: event.author, message: event.text || null, language: event.language, decision: event.decision ?? null };
    case 'flow':
      return withFlow(answered(turn, event), flowMark(event));
    case 'reply':
      return said(turn, {
        kind: 'reply',
        author: event.author,
        seq: event.seq,
        reply: event.reply,
        params: event.params as Record<string, unknown>,
        message: event.message,
        text: event.text,
        findings: event.findings ?? [],
        citations: event.citations ?? [],
      });
    case 'ask': {
      const { author, seq, task_type: taskType, missing, message, text, form = null } = event;
      return said(turn, { kind: 'ask', author, seq, taskType, missing, message, text, form });
    }
    case 'preview': {
      const { seq, approval, blueprint, digest, text } = event;
      return said(turn, { kind: 'preview', seq, approval, blueprint, digest, text });
    }
    case 'step_started':
      return withStep(turn, event, { ...mark(event), state: 'running', code: '' });
    case 'step_finished': {
      const state = event.ok ? 'succeeded' : 'failed';
      return withStep(turn, event, { ...mark(event), state, code: event.code });
    }
    case 'risk_cleared':
    case 'approval_revoked': {
      const author = { role: 'approver' as const, user: event.by, name: event.by_name ?? null };
      const answer = event.event === 'risk_cleared' ? 'cleared' : 'revoked';
      return { ...turn, author, decision: { answer, reason: event.reason }, outcome: 'done' };
    }
    case 'ended':
      return { ...turn, outcome: event.outcome };
  }
}

function said(turn: Turn, one: Said): Turn {
  return { ...turn, said: [...turn.said, one] };
}

/** A turn of an older build does not name its decision: the first step of its flow does. */
function answered(turn: Turn, event: SessionEvent & { event: 'flow' }): Turn {
  const isBare = turn.author !== null && turn.message === null && turn.decision === null && turn.flow.length === 0;
  const answer = isBare ? ANSWERS[`${event.input}_${event.outcome ?? ''}`] : undefined;
  return answer === undefined ? turn : { ...turn, decision: { answer, reason: '' } };
}

const ANSWERS: Partial<Record<string, DecisionMade['answer']>> = {
  approved_: 'approved',
  signal_affirm: 'approved',
  refused_: 'rejected',
  signal_deny: 'rejected',
};

function mark(event: { step: string; attempt: number }): { step: string; attempt: number } {
  return { step: event.step, attempt: event.attempt };
}

function flowMark(event: SessionEvent & { event: 'flow' }): FlowMark {
  return {
    seq: event.seq,
    at: event.at,
    input: event.input,
    outcome: event.outcome ?? null,
    codes: event.codes ?? [],
    taskType: event.task_type ?? null,
    confidence: event.confidence ?? null,
    blueprint: event.blueprint ?? null,
    digest: event.digest ?? null,
    execution: event.execution ?? null,
  };
}

function withFlow(turn: Turn, flow: FlowMark): Turn {
  const next = { ...turn, flow: [...turn.flow, flow] };
  if (flow.execution === null) return next;
  const run = runOf(turn, flow.execution, flow.seq);
  return withRun(next, { ...run, isOver: run.isOver || flow.input === 'finished' });
}

function withStep(turn: Turn, { execution, seq }: { execution: string; seq: number }, step: StepMark): Turn {
  const run = runOf(turn, execution, seq);
  const others = run.steps.filter((s) => s.step !== step.step || s.attempt !== step.attempt);
  return withRun(turn, { ...run, steps: [...others, step] });
}

function runOf(turn: Turn, execution: string, seq: number): RunMark {
  const known = turn.runs.find((run) => run.execution === execution);
  return known ?? { execution, seq, steps: [], isOver: false };
}

/** In its place; a new one behind the others. */
function withRun(turn: Turn, run: RunMark): Turn {
  const isKnown = turn.runs.some(({ execution }) => execution === run.execution);
  const runs = isKnown
    ? turn.runs.map((one) => (one.execution === run.execution ? run : one))
    : [...turn.runs, run];
  return { ...turn, runs };
}
