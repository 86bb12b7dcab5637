// What a question or a run is about, in one line.

import type { Schemas } from '../../api/client';
import { local, tCode } from '../../state/language.svelte';
import { oneLine } from '../../text/visible';

const CHARS_MAX = 240;

/** Its request and effect; the kind of work where the texts of both have gone with retention. */
export function titleOf(question: Pick<Schemas['ApprovalView'], 'title' | 'task_type'>): string {
  const title = local(question.title);
  return oneLine(title === question.task_type ? tCode('task', title) : title, CHARS_MAX);
}
