// The shape of a preview: rendered by the server from a plan's canonical bytes.

import type { DiffRow } from './DiffView.svelte';
import type { GraphEdge, GraphNode } from './layers';

export interface Localized {
  ko: string;
  en: string;
}

export type PreviewValue = { kind: 'text'; text: string } | { kind: 'bound'; from: Localized; holds?: string };

export interface PreviewRequest {
  system?: string;
  /** What the server knows about the system's credential; absent where no system is named. */
  credential?: { kind: 'none' | 'header' | 'log_in' | 'missing' | 'not_registered' | 'system_changed'; anyPath?: boolean; text: Localized };
  method: string;
  url: string;
  contentType: string | null;
  body: PreviewValue | null;
}

type Lines = { lines: DiffRow[]; linesLeftOut: number };
export type FileChange =
  | ({ kind: 'created' | 'changed' | 'deleted' } & Lines)
  | { kind: 'nothing' }
  | { kind: 'replaced'; oldBytes: number | null; newBytes: number | null }
  | { kind: 'deleted_unshown'; oldBytes: number | null };

/** A value that did not come from the user's words. */
export interface PreviewMark {
  place: string;
  /** It decides where the effect goes, and not only what it carries. */
  isTarget: boolean;
  text: Localized;
}

export interface PreviewStep {
  number: number;
  id: string;
  type: string;
  effect: string;
  idempotent: boolean;
  dependsOn: string[];
  sentence: Localized;
  path: string | null;
  request: PreviewRequest | null;
  expr: string | null;
  value: PreviewValue | null;
  beside?: PreviewValue[];
  when?: Localized;
  change: FileChange | null;
  marks?: PreviewMark[];
}

/** A value that somebody else than the requester wrote, in place of an answer to an earlier plan. */
export interface PreviewEdit {
  slot: string;
  by: string;
  text: Localized;
}

export interface Preview {
  version: number;
  title: Localized;
  steps: PreviewStep[];
  edits?: PreviewEdit[];
}

/** The API's description says no more of it than that it is an object. */
export function previewOf(value: unknown): Preview {
  return value as Preview;
}

const RANKS = ['READ', 'WRITE', 'DELETE', 'EXECUTE'];

export function greatestEffect(preview: Preview): string {
  const ranks = preview.steps.map((step) => RANKS.indexOf(step.effect));
  return RANKS[Math.max(0, ...ranks)] ?? 'READ';
}

export function planGraph(
  preview: Preview,
  say: (text: Localized) => string,
): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const tones = { READ: 'plain', WRITE: 'warn', DELETE: 'bad', EXECUTE: 'bad' } as const;
  const nodes = preview.steps.map((step) => ({
    id: step.id,
    title: `${step.number}. ${step.request ? `${step.request.method} ${step.request.system ?? ''}` : step.type}`,
    note: step.path ?? (step.request ? pathOf(step.request.url) : say(step.sentence)),
    tone: tones[step.effect as keyof typeof tones] ?? 'plain',
  }));
  const edges = preview.steps.flatMap((step) =>
    step.dependsOn.map((from) => ({ from, to: step.id, isData: true })),
  );
  return { nodes, edges };
}

function pathOf(url: string): string {
  const at = url.indexOf('/', url.indexOf('://') + 3);
  return at < 0 ? url : url.slice(at);
}
