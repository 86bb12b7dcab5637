// Conversations on hold.

import type { risk as ko } from '../ko/risk';

export const risk: Record<keyof typeof ko, string> = {
  'risk.notice': 'On hold',
  'risk.heard': 'This conversation is on hold.',
  'risk.here': 'This conversation is on hold after too many risk signals. Nothing in it is carried out.',
  'risk.of': 'A conversation of {name} in {project}',
  'risk.list': 'Conversations on hold',
  'risk.score': 'Risk score {score} (limit {limit})',
  'risk.times': '{count} times',
  'risk.ask': 'It does not go away by itself: ask an approver or owner of the project, or an administrator, to look at it. Where there is nobody else, begin another conversation.',
  'risk.clear': 'Clear the hold',
  'risk.clear_title': 'Clear the hold',
  'risk.clear_text': 'The risk score goes back to 0. Nothing goes on by itself, and what is asked for from now on is judged anew.',
  'risk.reason': 'Reason',
  'risk.reason_hint': 'Shown in the conversation and kept with the record.',
  'risk.cleared': 'The hold is cleared.',
  'risk_in.said': 'in what was said',
  'risk_in.read': 'in what was read',
  'risk_in.done': 'in what was to be done',
};
