// A conversation as Markdown or JSON, from its history.

import { api, ask } from '../../api/client';
import { language, local, t, tCode } from '../../state/language.svelte';
import { answerText } from '../../state/standing';
import type { SessionEvent } from '../../state/turns';
import { oneLine } from '../../text/visible';

const PAGES_MAX = 200;
const SUBJECT_CHARS_MAX = 120;
const LONGEST_FENCE = /`{3,}/g;

export async function markdownOf(session: string): Promise<string> {
  const parts = [`# ${t('export.title')}`, `${t('export.session')}: \`${session}\``];
  for (const event of await historyOf(session)) parts.push(...written(event));
  return `${parts.join('\n\n')}\n`;
}

/** As the server has it: for programs. */
export async function jsonOf(session: string): Promise<string> {
  return `${JSON.stringify({ session, events: await historyOf(session) }, null, 2)}\n`;
}

async function historyOf(session: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) };
    const params = { path: { id: session }, query };
    const answer = await ask(api.GET('/sessions/{id}/history', { params }));
    events.push(...answer.items);
    if (!answer.next_cursor) break;
    cursor = answer.next_cursor;
  }
  return events;
}

function written(event: SessionEvent): string[] {
  switch (event.event) {
    case 'accepted':
      return begun(event);
    case 'reply':
    case 'ask':
      return [`### ${t(event.author.role === 'system' ? 'author.system' : 'author.assistant')} · ${when(event)}`, fenced(event.text)];
    case 'preview':
      return [`### ${t('export.question')} · ${when(event)}`, fenced(event.text)];
    case 'risk_cleared':
      return [`## ${answerText('cleared', event.by_name)} · ${when(event)}`, fenced(event.reason)];
    case 'approval_revoked':
      return [`## ${answerText('revoked', event.by_name)} · ${when(event)}`, fenced(event.reason)];
    case 'ended':
      return event.outcome === 'done' ? [] : [`*${tCode('outcome', event.outcome)}*`];
    case 'flow':
    case 'step_started':
    case 'step_finished':
      return [];
  }
}

/** A message, or somebody's decision by name. */
function begun(event: SessionEvent & { event: 'accepted' }): string[] {
  const { author, decision, text } = event;
  if (decision) {
    const subject = decision.subject ? ` · ${oneLine(local(decision.subject), SUBJECT_CHARS_MAX)}` : '';
    const answer = `## ${answerText(decision.answer, author.name, decision.on_behalf_of_name)}${subject} · ${when(event)}`;
    return decision.reason === '' ? [answer] : [answer, fenced(decision.reason)];
  }
  return text === '' ? [] : [`## ${author.name ?? t('export.you')} · ${when(event)}`, fenced(text)];
}

const when = (event: SessionEvent): string => new Date(event.at).toLocaleString(language.current);

/** As it was said, whatever it holds: the fence is longer than any inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(LONGEST_FENCE)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
