// The panel of a conversation.

import type { panel as ko } from '../ko/panel';

export const panel: Record<keyof typeof ko, string> = {
  'panel.now': 'Now',
  'panel.language': 'Language',
  'panel.no_language': 'none yet',
  'panel_language.ko': 'Korean',
  'panel_language.en': 'English',
  'panel.task': 'Task in progress',
  'panel.no_task': 'none',
  'panel.aside': 'Put aside, or waiting its turn',
  'panel.last_words': 'What you said last',
  'panel.remembered': 'What is remembered',
  'panel.text': 'A model reads it below the rules. It decides nothing.',
  'panel.nothing': 'empty.',
  'panel.memory': 'See all of it, change it or have something forgotten: {what}',
  'panel.cited': 'Passages that answers cite',
  'panel.open': 'Open: {what}',
  'panel.waits': 'Changes that wait for your yes: {count}',
};
