// How long a text is, as the server counts it.

const WHITE = /\p{White_Space}/u;
const ASCII = /[\u0000-\u007f]+/g;
/** Of English words; a character of any other script is nearly a token of its own. */
const ASCII_PER_TOKEN = 4;

/** Format characters: marks of direction, joiners, tags and the like; and letters of Hangul that nobody sees. */
const INVISIBLE =
  /[\u{ad}\u{61c}\u{115f}\u{1160}\u{180e}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{ffa0}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/u;
const JOINER = /^[\u200c\u200d]$/;
/** Behind these a joiner means nothing: ASCII, white space and letters of Hangul. */
const UNJOINED = /^[\u0000-\u007f\p{White_Space}\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]?$/u;

/** Letters composed, without characters that nobody sees, as `composed` of the server has it. */
function composed(text: string): string {
  let seen = '';
  let last = '';
  for (const char of text.normalize('NFC')) {
    const joins = JOINER.test(char) && !UNJOINED.test(last);
    if (!joins && INVISIBLE.test(char)) continue;
    seen += char;
    last = char;
  }
  // What stood apart may join now.
  return seen.normalize('NFC');
}

/** As the server keeps it: one kind of line end, composed, no white space at the end. */
export function keptText(typed: string): string {
  const text = composed(typed.replace(/\r\n?/g, '\n'));
  let end = text.length;
  while (end > 0 && WHITE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Unicode scalar values. */
export function charsOf(text: string): number {
  return [...text].length;
}

/** Roughly: every model has a count of its own. */
export function tokensAbout(text: string): number {
  const others = charsOf(text.replace(ASCII, ''));
  return Math.ceil((charsOf(text) - others) / ASCII_PER_TOKEN + others);
}
