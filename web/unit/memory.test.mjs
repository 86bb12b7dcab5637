// A memory is counted as the server counts it, changes are told by lines, and no text becomes markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './lib/source.mjs';

const { charsOf, keptText, tokensAbout } = await source('routes/memory/measure.ts');
const { changedLines, joined } = await source('routes/memory/lines.ts');
const { blocksOf, spansOf } = await source('routes/memory/markdown.ts');

test('characters are counted after composing, without line ends and white space that are not kept', () => {
  const length = (typed) => charsOf(keptText(typed));
  assert.equal(keptText('\u1112\u1161\u11ab\u1100\u1173\u11af e\u0301'), '한글 é');
  assert.equal(length('\u1112\u1161\u11ab'.repeat(2_000)), 2_000);
  assert.equal(length('😀'.repeat(3)), 3);
  assert.equal(keptText('# a\r\n- b\r- c\r\n'), '# a\n- b\n- c');
  for (const end of [' \t\n', '\u3000', '\u00a0\u0085', '\u2028']) assert.equal(keptText(`- b${end}`), '- b');
  assert.equal(keptText('  - b'), '  - b', 'white space before it means something');
  assert.equal(length(' \r\n\t '), 0);
});

// The cases of `nothing_invisible_is_kept_but_what_joins` of the server.
test('nothing invisible is kept but what joins', () => {
  const joined = '👨\u200d👩 می\u200cخواهم';
  for (const [text, seen] of [
    ['re\u200dmem\u200bber\ufeff', 'remember'],
    ['\u2067기\u200c억\u2069\u{e0041}', '기억'],
    ['\u1100\u200b\u1161 e\u2060\u0301', '가 é'],
    ['기\u3164억\u115f\u1160\uffa0', '기억'],
    ['a\u200b', 'a'],
    ['a \ufeff', 'a'],
    ['\u200d', ''],
    [joined, joined],
  ]) {
    assert.equal(keptText(text), seen, JSON.stringify(text));
  }
});

test('tokens are estimated: four letters each, one for a character of another script', () => {
  assert.equal(tokensAbout(''), 0);
  assert.equal(tokensAbout('four four'), 3);
  assert.equal(tokensAbout('한국어'), 3);
  assert.ok(tokensAbout('가'.repeat(2_000)) >= 2_000);
});

const told = (from, to) => {
  const signs = { same: ' ', added: '+', removed: '-' };
  return changedLines(from, to).map(({ kind, text }) => signs[kind] + text);
};

test('lines that change are told between those that stay', () => {
  assert.deepEqual(told('', 'a\nb'), ['+a', '+b']);
  assert.deepEqual(told('a\nb', ''), ['-a', '-b']);
  assert.deepEqual(told('a\nb\nc', 'a\nx\nc'), [' a', '-b', '+x', ' c']);
  assert.deepEqual(told('a\nb\nc\nd', 'b\nx\nd\ne'), ['-a', ' b', '-c', '+x', ' d', '+e']);
  assert.deepEqual(told('a\na', 'a'), [' a', '-a']);
  assert.deepEqual(told('a\n\nb', 'a\nb'), [' a', '-', ' b']);
});

test('more lines than are compared are all told as changed, and quickly', () => {
  const [from, to] = ['x', 'y'].map((letter) => Array.from({ length: 3_000 }, (_, at) => letter + at).join('\n'));
  const began = performance.now();
  const found = changedLines(from, to);
  assert.equal(found.length, 6_000);
  assert.ok(performance.now() - began < 1_000);
});

test('what two people made of one text is put together: nothing that either added is lost', () => {
  const base = '- a\n- b\n- c';
  assert.equal(joined(base, '- a\n- b\n- c\n- mine', '- a\n- b\n- c\n- theirs'), '- a\n- b\n- c\n- theirs\n- mine');
  assert.equal(joined(base, '- a\n- c', '- a\n- b\n- c\n- d'), '- a\n- c\n- d', 'what I took out stays out');
  assert.equal(joined(base, '- a\n- b\n- c\n- both', '- a\n- c\n- both'), '- a\n- c\n- both', 'said by both it stands once');
  assert.equal(joined('', '- mine', '- theirs'), '- theirs\n- mine');
  assert.equal(joined('# x\n\n- a', '# x\n\n- a\n- b', '# x\n\n- a\n\n# y'), '# x\n\n- a\n\n# y\n- b');
});

test('headings, points, quotes and code are found; all else is a paragraph', () => {
  const kinds = (text) => blocksOf(text).map(({ kind, text: said, points }) => `${kind}: ${said ?? points.map((one) => `${one.depth}${one.number ?? '-'}${one.text}`).join(' ')}`);
  assert.deepEqual(kinds('# Style\n\n- short\n  * and kind\n3. third\n\nplain\ntext\n> said'), [
    'heading: Style', 'list: 0-short 1-and kind 03third', 'paragraph: plain\ntext', 'quote: said',
  ]);
  assert.deepEqual(kinds('```js\n# no heading\n\n- no point\n```\nbehind'), ['code: # no heading\n\n- no point', 'paragraph: behind']);
  assert.deepEqual(kinds('~~~\nnever closed'), ['code: never closed']);
  assert.deepEqual(kinds('#hashtag\n-5 degrees'), ['paragraph: #hashtag\n-5 degrees']);
  assert.deepEqual(kinds('<b>x</b> [press](javascript:1)'), ['paragraph: <b>x</b> [press](javascript:1)'], 'markup and links stay text');
  assert.deepEqual(blocksOf(' \n\n'), []);
});

test('strong words and code are set apart within a line', () => {
  const spans = (text) => spansOf(text).map(({ kind, text: said }) => `${kind}: ${said}`);
  assert.deepEqual(spans('use **tabs** in `a.rs`'), ['plain: use ', 'strong: tabs', 'plain:  in ', 'code: a.rs']);
  assert.deepEqual(spans('2 ** 3 and `open'), ['plain: 2 ** 3 and `open']);
  assert.deepEqual(spans('****'), ['plain: ****']);
});
