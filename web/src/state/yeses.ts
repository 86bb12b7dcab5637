// Everybody who answered a question, in words.

import { t, tCode } from './language.svelte';
import { answerText, standingText, type Answered } from './standing';

interface Yes {
  name?: string | null;
  on_behalf_of_name?: string | null;
  counts: boolean;
}

/** Why a yes does not count: the right to it is gone, or the ruling left it out. Empty where it does. */
export function uncountedText({ counts }: Yes, state: string): string {
  if (counts) return '';
  return t(state === 'consumed' ? 'inbox.not_counted' : 'inbox.counts_no_more');
}

interface Asked extends Answered {
  approved_by: readonly Yes[];
  /** Who took back a yes while its run went on. */
  revoked?: { by_name?: string | null } | null;
}

/** In the order of the answers. One person's yes is told with what became of it. */
export function answerTexts(asked: Asked): string[] {
  const revoked = asked.revoked ? [answerText('revoked', asked.revoked.by_name)] : [];
  return [...answered(asked), ...revoked];
}

function answered(asked: Asked): string[] {
  const isApproved = asked.state === 'approved' || asked.state === 'consumed';
  if (isApproved && asked.approved_by.length <= 1) return [standingText(asked)];
  const yeses = asked.approved_by.map((yes) => {
    const said = answerText('approved', yes.name, yes.on_behalf_of_name);
    const why = uncountedText(yes, asked.state);
    return why === '' ? said : `${said} (${why})`;
  });
  return [...yeses, isApproved ? tCode('approval', asked.state) : standingText(asked)];
}
