// What is halted, and the switch.

import type { halt as ko } from '../ko/halt';

export const halt: Record<keyof typeof ko, string> = {
  'halt.notice': 'Halted',
  'halt.heard': 'Something here is halted.',
  'halt.more': '{count} more are halted.',
  'halt.panel': 'Halt and resume',
  'halt.do': 'Halt',
  'halt.resume': 'Resume',
  'halt.text': 'Nothing new begins, and runs and model calls in flight are stopped. Requests that wait go on waiting.',
  'halt.resume_text': 'Nothing goes on by itself: whoever wants something asks for it again.',
  'halt.reason': 'Reason',
  'halt.reason_hint': 'Shown to everybody concerned and kept with the record.',
  'halt.halted': 'Halted.',
  'halt.resumed': 'Resumed.',
  'halt_of.server': 'The whole server is halted.',
  'halt_of.project': 'The project {project} is halted.',
  'halt_of.session': 'A conversation of {project} is halted.',
  'halt_do.server': 'Halt the server',
  'halt_do.project': 'Halt the project',
  'halt_do.session': 'Halt this conversation',
  'resume_do.server': 'Resume the server',
  'resume_do.project': 'Resume the project',
  'resume_do.session': 'Resume this conversation',
};
