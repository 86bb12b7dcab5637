// The little of Markdown that a memory is written in, as parts that a page is made of: no text becomes markup.

export interface Point {
  text: string;
  /** How far it stands in. */
  depth: number;
  /** Of a numbered one. */
  number: string | null;
}

export type Block =
  | { kind: 'heading' | 'paragraph' | 'quote' | 'code'; text: string }
  | { kind: 'list'; points: Point[] };

export interface Span {
  kind: 'plain' | 'strong' | 'code';
  text: string;
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^#{1,6}\s+(.*)$/;
const POINT = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const QUOTE = /^>\s?(.*)$/;
const TAB = '    ';
const SPACES_PER_DEPTH = 2;
const DEPTH_MAX = 6;

export function blocksOf(text: string): Block[] {
  const found: Block[] = [];
  let fence: string | null = null;
  let isNew = true;
  for (const line of text.split('\n')) {
    const edge = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (edge?.startsWith(fence)) fence = null;
      else join(found, 'code', line, isNew);
      isNew = fence === null;
    } else if (edge !== undefined) {
      [fence, isNew] = [edge, true];
    } else if (line.trim() === '') {
      isNew = true;
    } else {
      put(found, line, isNew);
      isNew = false;
    }
  }
  return found;
}

function put(found: Block[], line: string, isNew: boolean): void {
  const [, heading] = HEADING.exec(line) ?? [];
  const [, indent = '', number, said] = POINT.exec(line) ?? [];
  const [, quote] = QUOTE.exec(line) ?? [];
  if (heading !== undefined) found.push({ kind: 'heading', text: heading });
  else if (said !== undefined) {
    const wide = indent.replaceAll('\t', TAB).length;
    const depth = Math.min(DEPTH_MAX, Math.floor(wide / SPACES_PER_DEPTH));
    point(found, { text: said, depth, number: number ?? null });
  } else if (quote !== undefined) join(found, 'quote', quote, isNew);
  else join(found, 'paragraph', line.trim(), isNew);
}

function point(found: Block[], one: Point): void {
  const last = found.at(-1);
  if (last?.kind === 'list') last.points.push(one);
  else found.push({ kind: 'list', points: [one] });
}

/** To the block before it, where that goes on. */
function join(found: Block[], kind: 'paragraph' | 'quote' | 'code', line: string, isNew: boolean): void {
  const last = found.at(-1);
  if (!isNew && last?.kind === kind) last.text += `\n${line}`;
  else found.push({ kind, text: line });
}

/** Of one line or paragraph. */
export function spansOf(text: string): Span[] {
  const parts = text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/);
  // What stands between is what was looked for.
  const spans = parts.map((part, at): Span => (at % 2 === 0 ? { kind: 'plain', text: part } : marked(part)));
  return spans.filter(({ text }) => text !== '');
}

function marked(part: string): Span {
  return part.startsWith('`') ? { kind: 'code', text: part.slice(1, -1) } : { kind: 'strong', text: part.slice(2, -2) };
}
