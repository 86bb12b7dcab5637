// Temporary policies: the notice on every page.

import type { override as ko } from '../ko/override';

export const override: Record<keyof typeof ko, string> = {
  'override.notice': 'Temporary policy',
  'override.runs': 'A temporary policy is in force.',
  'override.waits': 'A temporary policy waits for its second approval.',
  'override.left': '{left} left',
  'override.hours': '{hours} h {minutes} min',
  'override.minutes': '{minutes} min',
  'override.see': 'Show',
  'override_scope.request': 'one request',
  'override_scope.type': 'task type: {task}',
  'override_scope.window': 'every request',
};
