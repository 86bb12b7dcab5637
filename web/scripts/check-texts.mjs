// Every text is used, and says the same placeholders in both languages. That both languages hold
// the same keys is checked by the compiler. What the first screens say is loaded with them.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { FAMILIES, SCHEMAS } from './families.mjs';

const KEY = /^\s*'([a-z0-9_]+(?:\.[A-Za-z0-9_]+)+)':\s*(.*)$/gm;

function files(folder, wanted) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter(wanted);
}

function texts(language) {
  const found = new Map();
  for (const file of files(`src/i18n/${language}`, (name) => name.endsWith('.ts'))) {
    const source = readFileSync(file, 'utf8').replace(/:\s*\n\s+/g, ': ');
    for (const [, key, text] of source.matchAll(KEY)) {
      if (found.has(key)) fail(`\`${key}\` stands twice in \`${language}\``);
      found.set(key, text);
    }
  }
  return found;
}

function fail(why) {
  console.error(why);
  process.exitCode = 1;
}

const holes = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort().join();
const [ko, en] = [texts('ko'), texts('en')];
const sources = files('src', (name) => /\.(ts|svelte)$/.test(name) && !/i18n\/(ko|en)/.test(name));
const code = sources.map((name) => readFileSync(name, 'utf8')).join('\n');
const families = [...code.matchAll(/\btCode\(\s*'([^']+)'/g)].map((match) => `${match[1]}.`);

for (const [key, text] of ko) {
  const used = code.includes(`'${key}'`) || families.some((family) => key.startsWith(family));
  if (!used) fail(`\`${key}\` is used nowhere`);
  if (!en.has(key)) fail(`\`${key}\` is not in English`);
  else if (holes(text) !== holes(en.get(key))) fail(`\`${key}\` has other {placeholders} in English`);
}
// A code without a text would be read as it is: every one that the server can give has a text.
for (const [family, codes] of Object.entries(FAMILIES)) {
  if (!families.includes(`${family}.`)) fail(`\`tCode('${family}', …)\` is said nowhere`);
  for (const code of codes) if (!ko.has(`${family}.${code}`)) fail(`\`${family}.${code}\` has no text`);
}
const kinds = readFileSync('src/routes/audit/kinds.ts', 'utf8');
for (const kind of FAMILIES.record) if (!kinds.includes(`'${kind}'`)) fail(`\`${kind}\` has no filter in \`kinds.ts\``);
// The form of a policy shows what a schema of profiles brings before the server is asked.
const [, held = ''] = readFileSync('src/routes/policy/model.ts', 'utf8').match(/PROFILE_SCHEMAS[^=]*= \{([^}]*)\}/) ?? [];
const lists = [...held.matchAll(/(\w+): \[([^\]]*)\]/g)];
const brought = Object.fromEntries(lists.map(([, name, list]) => [name, [...list.matchAll(/'(\w+)'/g)].map((match) => match[1])]));
for (const name of new Set([...Object.keys(SCHEMAS), ...Object.keys(brought)])) {
  if (String(brought[name]) !== String(SCHEMAS[name])) fail(`\`${name}\` in PROFILE_SCHEMAS has other guardrails than its schema`);
}
for (const key of en.keys()) if (!ko.has(key)) fail(`\`${key}\` is not in Korean`);

/** Files that `from` loads, itself included, whatever the other routes load. */
function reached(from, into = new Set()) {
  if (into.has(from) || from === 'src/routes.ts' || from.startsWith('src/i18n')) return into;
  into.add(from);
  const source = readFileSync(from, 'utf8').replaceAll(WITH_TEXTS, '');
  for (const [, name] of source.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)) {
    // Types alone.
    if (name.endsWith('/schema')) continue;
    const path = normalize(join(dirname(from), name));
    if (path.endsWith('.css')) continue;
    reached(existsSync(`${path}.ts`) ? `${path}.ts` : path, into);
  }
  return into;
}

/** Parts that are opened seldom bring all texts with them. */
const WITH_TEXTS = /withTexts\(import\('[^']+'\)\)/g;
const FIRST = ['src/main.ts', 'src/routes/sign-in/SignIn.svelte', 'src/routes/chat/Chat.svelte'];
const begin = FIRST.reduce((into, from) => reached(from, into), new Set());
const firstParts = [...readFileSync('src/i18n/ko.ts', 'utf8').matchAll(/'\.\/(ko\/\w+)'/g)];
const firstTexts = firstParts.map(([, part]) => readFileSync(`src/i18n/${part}.ts`, 'utf8')).join('\n');
for (const file of begin) {
  const used = readFileSync(file, 'utf8');
  for (const key of ko.keys()) {
    if (!used.includes(`'${key}'`) || firstTexts.includes(`'${key}'`)) continue;
    fail(`\`${key}\` is said by \`${file}\`, so it belongs to \`i18n/ko.ts\``);
  }
  for (const [, family] of used.matchAll(/\btCode\(\s*'([^']+)'/g)) {
    if (!firstTexts.includes(`'${family}.`)) fail(`\`${family}.*\` is said by \`${file}\``);
  }
}
console.log(`texts: ${ko.size} in two languages`);
