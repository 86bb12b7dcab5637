// How long a text is, as the server counts it.

const WHITE = /\p{White_Space}/u;
const ASCII = /[\u0000-\u007f]+/g;
/** Of English words; a character of any other script is nearly a token of its own. */
const ASCII_PER_TOKEN = 4;

/** As the server keeps it: one kind of line end, no white space at the end, letters composed. */
export function keptText(typed: string): string {
  const text = typed.replace(/\r\n?/g, '\n');
  let end = text.length;
  while (end > 0 && WHITE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).normalize('NFC');
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
