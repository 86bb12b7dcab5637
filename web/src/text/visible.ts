// Characters that could make a text look like another are shown by their number, as the server does.

const KEPT = new Set([0x09, 0x0a]);
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0x00, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160],
  [0x17b4, 0x17b5], [0x180b, 0x180f], [0x200b, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f],
  [0x2800, 0x2800], [0x3164, 0x3164], [0xd800, 0xdfff], [0xe000, 0xf8ff], [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff], [0xffa0, 0xffa0], [0xfff0, 0xfffb], [0x1d173, 0x1d17a], [0xe0000, 0x10ffff],
];

function isDeceptive(point: number): boolean {
  if (KEPT.has(point)) return false;
  return INVISIBLE.some(([from, to]) => point >= from && point <= to);
}

/** Safe to show as text; what the server made visible already stays as it is. */
export function visible(text: string): string {
  let shown = '';
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point === 0x0d) continue;
    const number = point.toString(16).toUpperCase().padStart(4, '0');
    shown += isDeceptive(point) ? `⟨U+${number}⟩` : character;
  }
  return shown;
}

/** On one line, at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = visible(text.slice(0, max * 4)).replace(/\s+/g, ' ').trim();
  const points = [...line];
  return points.length > max ? `${points.slice(0, max - 1).join('')}…` : line;
}
