// How far files are on their way, as rows tell it.

import type { DocumentView, IngestJob } from './calls';

type Standing = Pick<IngestJob, 'state'>;

const OVER = new Set<IngestJob['state']>(['ready', 'failed', 'cancelled']);

/** Nothing more comes of it. */
export const isOver = ({ state }: Standing): boolean => OVER.has(state);

const TONES = {
  queued: 'plain',
  reading: 'accent',
  cutting: 'accent',
  embedding: 'accent',
  ready: 'ok',
  failed: 'bad',
  cancelled: 'warn',
} as const satisfies Record<IngestJob['state'], string>;

export const toneOf = ({ state }: Standing): (typeof TONES)[IngestJob['state']] => TONES[state];

/** Chunks that have their vector, of those that need one; `null` where nobody can tell how much is left. */
export function embeddedOf(job: Pick<IngestJob, 'state' | 'embedded' | 'to_embed'>): { done: number; all: number } | null {
  return job.state === 'embedding' && job.to_embed > 0 ? { done: job.embedded, all: job.to_embed } : null;
}

/** Nothing was sent for an ingest that ended so, but what has a vector now. The last one is of older servers. */
const UNSENT = new Set(['BUDGET', 'UNPRICED', 'ORIGIN', 'NO_RIGHT', 'REFUSED'].map((why) => `NOT_EMBEDDED_${why}`));

/** The provider's model that texts of it go or went to; `null` where none did: it failed, or nothing of it was new. */
export function sentTo(job: Pick<IngestJob, 'state' | 'code' | 'sent_to' | 'embedded' | 'to_embed'>): string | null {
  const wasSent = job.state !== 'failed' && job.to_embed > 0 && (job.embedded > 0 || !UNSENT.has(job.code ?? ''));
  return !isOver(job) || wasSent ? (job.sent_to ?? null) : null;
}

/** It became a document, and texts of it have no vector. */
export const lacksVectors = ({ state, code }: Pick<IngestJob, 'state' | 'code'>): boolean => state === 'ready' && (code ?? '').startsWith('NOT_EMBEDDED');

/** The version of a document whose content that ingest changed; `null` where it made the document. */
export function replacedBy(job: Pick<IngestJob, 'created_at'>, view: Pick<DocumentView, 'version' | 'updated_at'>): number | null {
  return view.version > 1 && view.updated_at >= job.created_at ? view.version : null;
}

export interface Sum {
  all: number;
  ready: number;
  failed: number;
}

/** Of what is followed: `unsent` have not left this page, `refused` were not taken. */
export function sumOf(jobs: readonly Standing[], unsent: number, refused: number): Sum {
  const count = (state: IngestJob['state']): number => jobs.filter((job) => job.state === state).length;
  return { all: jobs.length + unsent + refused, ready: count('ready'), failed: count('failed') + count('cancelled') + refused };
}
