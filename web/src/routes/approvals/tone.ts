// How the state of a question is shown.

const TONES = {
  pending: 'accent',
  approved: 'ok',
  consumed: 'ok',
  rejected: 'warn',
  expired: 'warn',
} as const;

export function toneOf(state: string): 'plain' | 'ok' | 'warn' | 'accent' {
  return TONES[state as keyof typeof TONES] ?? 'plain';
}
