// Why a step or a run failed, in words: a code without a text is shown as it is.

import { tCode } from '../../state/language.svelte';

export function codeText(code: string): string {
  const text = tCode('step_code', code);
  return text === code ? tCode('deny_code', code) : text;
}
