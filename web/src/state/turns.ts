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
  /** In per cent, of the built-in understanding. */
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

export type Said =
  | { kind: 'reply'; seq: number; reply: string; params: Record<string, unknown>; message: string; text: string }
  | { kind: 'ask'; seq: number; taskType: string; missing: readonly string[]; message: string; text: string }
  | { kind: 'preview'; seq: number; approval: string; blueprint: string; digest: string; text: string };

export interface Turn {
  id: string;
  at: string;
  /** What the person said; null for a button, or where the turn began by itself. */
  message: string | null;
  flow: readonly FlowMark[];
  said: readonly Said[];
  runs: readonly RunMark[];
  outcome: string | null;
}

export function newTurn(id: string, at: string): Turn {
  return { id, at, message: null, flow: [], said: [], runs: [], outcome: null };
}

/** The turn with one event more. */
export function folded(turn: Turn, event: SessionEvent): Turn {
  switch (event.event) {
    case 'accepted':
      return { ...turn, at: event.at, message: event.text || null };
    case 'flow':
      return withFlow(turn, flowMark(event));
    case 'reply':
      return said(turn, {
        kind: 'reply',
        seq: event.seq,
        reply: event.reply,
        params: event.params as Record<string, unknown>,
        message: event.message,
        text: event.text,
      });
    case 'ask': {
      const { seq, task_type: taskType, missing, message, text } = event;
      return said(turn, { kind: 'ask', seq, taskType, missing, message, text });
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
    case 'ended':
      return { ...turn, outcome: event.outcome };
  }
}

function said(turn: Turn, one: Said): Turn {
  return { ...turn, said: [...turn.said, one] };
}

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
