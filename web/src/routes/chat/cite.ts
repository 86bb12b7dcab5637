// Where an answer cites: numbers in brackets that stand for passages, as the server left them in its text.

export interface CitedPart<C> {
  text: string;
  /** `null`: text alone. */
  citation: C | null;
}

/** A run of backticks, or a number in brackets. */
const MARK = /`+|\[(\d{1,3})\]/g;

/** The text by its parts. What stands between backticks is code, and cites nothing. */
export function citedParts<C extends { number: number }>(text: string, citations: readonly C[]): CitedPart<C>[] {
  const marks = [...text.matchAll(MARK)];
  const parts: CitedPart<C>[] = [];
  let end = 0;
  for (let at = 0; at < marks.length; at += 1) {
    const [whole = '', digits] = marks[at] ?? [];
    if (digits === undefined) {
      const close = marks.findIndex(([other], place) => place > at && other === whole);
      if (close > 0) at = close;
      continue;
    }
    const citation = citations.find(({ number }) => number === Number(digits));
    if (citation === undefined) continue;
    const begin = marks[at]?.index ?? 0;
    if (begin > end) parts.push({ text: text.slice(end, begin), citation: null });
    parts.push({ text: whole, citation });
    end = begin + whole.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), citation: null });
  return parts;
}
