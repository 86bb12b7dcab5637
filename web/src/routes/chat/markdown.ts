// A conversation as Markdown, from its history.

import { api, ask } from '../../api/client';
import { language, t, tCode } from '../../state/language.svelte';
import type { SessionEvent } from '../../state/turns';

const PAGES_MAX = 200;
const LONGEST_FENCE = /`{3,}/g;

export async function markdownOf(session: string): Promise<string> {
  const parts = [`# ${t('export.title')}`, `${t('export.session')}: \`${session}\``];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) };
    const params = { path: { id: session }, query };
    const answer = await ask(api.GET('/sessions/{id}/history', { params }));
    for (const event of answer.items) parts.push(...written(event));
    if (!answer.next_cursor) break;
    cursor = answer.next_cursor;
  }
  return `${parts.join('\n\n')}\n`;
}

function written(event: SessionEvent): string[] {
  switch (event.event) {
    case 'accepted':
      return event.text === '' ? [] : [`## ${t('export.you')} · ${when(event)}`, fenced(event.text)];
    case 'reply':
    case 'ask':
      return [`### wiiiv · ${when(event)}`, fenced(event.text)];
    case 'preview':
      return [`### ${t('export.question')} · ${when(event)}`, fenced(event.text)];
    case 'ended':
      return event.outcome === 'done' ? [] : [`*${tCode('outcome', event.outcome)}*`];
    case 'flow':
    case 'step_started':
    case 'step_finished':
      return [];
  }
}

const when = (event: SessionEvent): string => new Date(event.at).toLocaleString(language.current);

/** As it was said, whatever it holds: the fence is longer than any inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(LONGEST_FENCE)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
