// What a question is about, in one line.

import type { Schemas } from '../../api/client';
import { local, tCode } from '../../state/language.svelte';
import { oneLine } from '../../text/visible';

const CHARS_MAX = 240;

/** The server names the kind of work by its code where a plan has many steps. */
export function titleOf(question: Pick<Schemas['ApprovalView'], 'title' | 'task_type'>): string {
  const title = local(question.title);
  const code = `${question.task_type}:`;
  const said = title.startsWith(code) ? tCode('task', question.task_type) + title.slice(code.length - 1) : title;
  return oneLine(said, CHARS_MAX);
}
