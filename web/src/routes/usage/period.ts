// Which days are looked at, as the address says it. Days are those of UTC.

export const PERIODS = ['7', '30', '90', 'month', 'own'] as const;
export type Period = (typeof PERIODS)[number];
export type SpanFault = 'odd' | 'order' | 'long';

/** Both days included. */
export interface Span {
  from: string;
  until: string;
}

/** As many as the server sums up at once. */
export const DAYS_MAX = 366;
const USUAL: Period = '30';
const DAY_MS = 86_400_000;

export const today = (): string => new Date().toISOString().slice(0, 10);

function later(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && later(text, 0) === text;
}

export function faultOf({ from, until }: Span): SpanFault | null {
  if (!isDay(from) || !isDay(until)) return 'odd';
  if (from > until) return 'order';
  return later(from, DAYS_MAX - 1) < until ? 'long' : null;
}

/** What is no period of ours is the usual one. */
export function periodOf(query: URLSearchParams): { period: Period; span: Span } {
  const named = PERIODS.find((one) => one === query.get('period')) ?? USUAL;
  const own = { from: query.get('from') ?? '', until: query.get('until') ?? '' };
  if (named === 'own') return faultOf(own) === null ? { period: named, span: own } : usual();
  return { period: named, span: spanOf(named) };
}

const usual = (): { period: Period; span: Span } => ({ period: USUAL, span: spanOf(USUAL) });

/** Up to today. */
function spanOf(period: Exclude<Period, 'own'>): Span {
  const until = today();
  const from = period === 'month' ? `${until.slice(0, 7)}-01` : later(until, 1 - Number(period));
  return { from, until };
}

export function daysOf({ from, until }: Span): string[] {
  const days: string[] = [];
  for (let day = from; day <= until && days.length < DAYS_MAX; day = later(day, 1)) days.push(day);
  return days;
}
