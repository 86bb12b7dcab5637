// What a model was shown, as a bar: each part by its share of what all together might take.

import type { Schemas } from '../api/client';

export type Plan = Schemas['TokenPlanView'];

export interface Segment {
  part: string;
  /** In percent of the bar. */
  width: number;
  /** A variable of the style. */
  colour: string;
  /** Every other one, so that whichever parts meet, they differ in more than their hue. */
  isStriped: boolean;
}

/** Each part keeps its colour, whichever others there are. */
const COLOURS: Readonly<Record<string, string>> = {
  system: '--ink-soft',
  user_memory: '--chart-4',
  project_memory: '--chart-5',
  profile: '--chart-6',
  summary: '--chart-7',
  related: '--chart-8',
  task: '--line-strong',
  systems: '--chart-2',
  documents: '--ok',
  sources: '--chart-3',
  recent: '--chart-1',
  query: '--ink',
};
const OTHER = '--ink-faint';

export const usedOf = ({ parts }: Plan): number => parts.reduce((sum, { used }) => sum + used, 0);
export const colourOf = (part: string): string => COLOURS[part] ?? OTHER;

/** What is not used stays empty. */
export function segmentsOf(plan: Plan): Segment[] {
  const whole = Math.max(plan.total, usedOf(plan), 1);
  const shown = plan.parts.filter(({ used }) => used > 0);
  return shown.map(({ part, used }, at) => ({ part, width: (used / whole) * 100, colour: colourOf(part), isStriped: at % 2 === 1 }));
}
