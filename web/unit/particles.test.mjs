// A Korean particle has two forms, and which one is right depends on the sound before it. Behind a
// value that nobody can know while a text is written: such a text names the thing instead.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

const TWO_FORMS = '이|가|을|를|은|는|과|와|으로|로|이나|나|이며|며|이고|고|이라면|라면|이라|라|이랑|랑|\\(으\\)로|을\\(를\\)|이\\(가\\)|은\\(는\\)';
const BEHIND_VALUE = new RegExp(`\\{\\w+\\}[\`'"”’]*\\s?(${TWO_FORMS})(?![가-힣])`);
/** Korean joins a particle to the word before it. */
const APART = /[A-Za-z0-9_)}`] (이|가|을|를|은|는|에|의|으로|로|에서|입니다|라고)(?![가-힣])/;
/** As words of their own: this, four. */
const OTHER_WORDS = /`? 이 (뒤|창|프로젝트|데이터|토큰|제공자)/;

const folder = new URL('../src/i18n/ko/', import.meta.url);
const messages = new URL('../../config/messages/', import.meta.url);
const files = [
  ...readdirSync(folder).map((name) => new URL(name, folder)),
  ...['ko.toml', 'cli.ko.toml'].map((name) => new URL(name, messages)),
];

test('a particle with two forms stands behind no value, and none stands alone', () => {
  assert.ok(files.length > 10);
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => BEHIND_VALUE.test(line) || APART.test(line.replace(OTHER_WORDS, '')))
      .map((line) => `${file.pathname.split('/').at(-1)}: ${line.trim()}`),
  );
  assert.deepEqual(found, []);
});

test('what is refused', () => {
  for (const text of ['버전 {number}이 저장됨', '`{path}`을 실행', '{next} 으로 간다', '{to}(으)로', '{x}를']) {
    assert.match(text, BEHIND_VALUE, text);
  }
  for (const text of ['{name} 계정을', '{at}에 끝남', '{count}건이', '현재 내용({old})이']) {
    assert.doesNotMatch(text, BEHIND_VALUE, text);
  }
  assert.match('JSON 으로 쓸 수 없음', APART);
});
