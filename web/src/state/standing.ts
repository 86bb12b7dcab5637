// How the state of a question is called.

import { oneLine } from '../text/visible';
import { t, tCode } from './language.svelte';

const NAME_CHARS_MAX = 60;

export interface Answered {
  state: string;
  /** Whoever answered before it was withdrawn said yes. */
  decided_by?: string | null;
  decided_by_name?: string | null;
  /** Whose right that person used, where it is another person's. */
  on_behalf_of_name?: string | null;
  approvers?: number;
  given?: number;
  /** Everything that was answered, where a yes stands no more; the oldest first. */
  overturned?: readonly { answer: string; by_name?: string | null; on_behalf_of_name?: string | null }[];
}

/**
 * With the name of whoever answered. A yes is withdrawn where a gate says no behind it, or the request was changed or
 * taken back; else another question took its place.
 */
export function standingText({
  state,
  decided_by: by,
  decided_by_name: name,
  on_behalf_of_name: whose,
  given = 0,
  approvers = 1,
  overturned = [],
}: Answered): string {
  const last = overturned.at(-1);
  if (last && state !== 'pending' && last.answer !== 'approved') {
    const answer = last.answer === 'rejected' ? 'overturned' : last.answer;
    return answerText(answer, last.by_name, last.on_behalf_of_name);
  }
  if (state === 'withdrawn') return tCode('approval', by ? 'withdrawn_denied' : state);
  if (state === 'pending' && approvers > 1) return tallyText(given, approvers);
  return name && NAMED.has(state) ? answerText(state, name, whose) : tCode('approval', state);
}

const NAMED = new Set(['approved', 'rejected', 'edited', 'consumed']);

/** How many of the people who have to approve have. */
export function tallyText(given: number, approvers: number): string {
  return t('chat.tally', { given, approvers });
}

/** Who approved or rejected, and on whose behalf. */
export function answerText(answer: string, name: string | null | undefined, whose?: string | null): string {
  const shown = name ? oneLine(name, NAME_CHARS_MAX) : t('chat.somebody');
  const text = tCode('approval_by', answer, { name: shown });
  return whose ? `${text} (${t('approval_by.on_behalf', { name: oneLine(whose, NAME_CHARS_MAX) })})` : text;
}
