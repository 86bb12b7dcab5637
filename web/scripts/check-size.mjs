// Prints what a browser loads before the first screen stands, and all there is; too much fails.
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const FIRST_ROUTE_KIB_MAX = 60;
const ALL_KIB_MAX = 400;
/** The viewer of the API reference, which nothing else loads. */
const DOCS_KIB_MAX = 1024;
const FONTS_KIB_MAX = 600;
const DIST = process.env['WIIIV_DIST'] ?? 'dist';
const ENTRY = 'index.html';
/** The heaviest way to begin: the larger language, then the chat. */
const LANGUAGES = ['src/i18n/ko.ts', 'src/i18n/en.ts'];
const VIEWER = 'node_modules/swagger-ui-dist/swagger-ui-es-bundle.js';
const FIRST_SCREEN = 'src/routes/chat/Chat.svelte';

const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
rmSync(join(DIST, '.vite'), { recursive: true });

const gzipBytes = (file) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length;

function scripts(key, into = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`\`${key}\` is not in the build`);
  if (into.has(chunk.file)) return into;
  into.add(chunk.file);
  for (const next of chunk.imports ?? []) scripts(next, into);
  return into;
}

const sum = (files) => [...files].reduce((bytes, file) => bytes + gzipBytes(file), 0) / 1024;
const language = LANGUAGES.toSorted((a, b) => sum(scripts(b)) - sum(scripts(a)))[0];
const first = new Set();
for (const key of [ENTRY, language, FIRST_SCREEN]) scripts(key, first);
const viewer = manifest[VIEWER]?.file;
if (!viewer) throw new Error(`\`${VIEWER}\` is not in the build`);
const all = readdirSync(join(DIST, 'assets')).filter((file) => file.endsWith('.js') && `assets/${file}` !== viewer);
const fonts = readdirSync(join(DIST, 'assets')).filter((file) => file.endsWith('.woff2'));
const fontBytes = fonts.reduce((bytes, file) => bytes + readFileSync(join(DIST, 'assets', file)).length, 0);
const styles = readdirSync(join(DIST, 'assets')).filter((file) => file.endsWith('.css'));
const report = [
  ['first route, JavaScript', sum(first), FIRST_ROUTE_KIB_MAX],
  ['all JavaScript', sum(all.map((file) => `assets/${file}`)), ALL_KIB_MAX],
  ['API reference, on /docs alone', sum([viewer]), DOCS_KIB_MAX],
  ['fonts', fontBytes / 1024, FONTS_KIB_MAX],
  ['all styles', sum(styles.map((file) => `assets/${file}`)), Infinity],
];
for (const [name, kib, most] of report) {
  const limit = Number.isFinite(most) ? ` of ${most}` : '';
  console.log(`${name}: ${kib.toFixed(1)} KiB${limit} (gzip)`);
  if (kib > most) process.exitCode = 1;
}
