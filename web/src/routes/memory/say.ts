// How a version came to be, in words.

import { t } from '../../state/language.svelte';
import type { MemoryView } from './calls';

export const NAME_CHARS_MAX = 80;

export function wayOf({ turn }: Pick<MemoryView, 'turn'>): string {
  return turn ? t('memory.by_turn') : t('memory.by_edit');
}
