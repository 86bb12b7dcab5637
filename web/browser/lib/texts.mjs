// The texts of the interface, from its own sources: what a person reads is what a test looks for.
import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';

const FOLDER = new URL('../../src/i18n/', import.meta.url);
const COMPILED = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };

async function load(language) {
  const folder = new URL(`${language}/`, FOLDER);
  const all = {};
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.ts'))) {
    const source = readFileSync(new URL(name, folder), 'utf8');
    const { outputText } = ts.transpileModule(source, { compilerOptions: COMPILED });
    const code = Buffer.from(outputText).toString('base64');
    const module = await import(`data:text/javascript;base64,${code}`);
    Object.assign(all, ...Object.values(module));
  }
  return all;
}

const loaded = { ko: await load('ko'), en: await load('en') };
export const LANGUAGES = ['ko', 'en'];

/** The text of a key, with its holes filled. */
export function texts(language) {
  return (key, values = {}) => {
    const text = loaded[language][key];
    if (text === undefined) throw new Error(`no text \`${key}\` in \`${language}\``);
    return text.replace(/\{(\w+)\}/g, (hole, name) => String(values[name] ?? hole));
  };
}

/** The same as a pattern: any hole that is not filled stands for anything. */
export function pattern(language, key, values = {}) {
  const text = texts(language)(key, values);
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}
