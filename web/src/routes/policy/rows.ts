// Lines of a policy's text for the diff: long stretches without a change are folded away.

import type { Schemas } from '../../api/client';
import type { DiffRow } from '../../ui/DiffView.svelte';

const CONTEXT = 3;
const CHANGES = { same: 'kept', added: 'added', removed: 'removed' } as const;

export function rowsOf(lines: readonly Schemas['LineView'][]): DiffRow[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => line.kind !== 'same');
  const rows: DiffRow[] = [];
  for (const [at, { kind, text }] of lines.entries()) {
    if (isNear(at)) rows.push({ change: CHANGES[kind], text });
    else if (rows.at(-1)?.change !== 'gap') rows.push({ change: 'gap', text: '' });
  }
  return rows;
}
