// The language of the interface and its texts.

import { session } from '../api/client';
import type { FirstTexts, Texts } from '../i18n/ko';

export type Language = 'ko' | 'en';
export type Key = keyof Texts;

const STORED = 'wiiiv.language';

type Later = Omit<Texts, keyof FirstTexts>;

const first: Record<Language, () => Promise<FirstTexts>> = {
  ko: () => import('../i18n/ko').then((module) => module.ko),
  en: () => import('../i18n/en').then((module) => module.en),
};
const later: Record<Language, () => Promise<Later>> = {
  ko: () => import('../i18n/ko.screens').then((module) => module.screens),
  en: () => import('../i18n/en.screens').then((module) => module.screens),
};

let current = $state<Language>('en');
let texts = $state.raw<Partial<Texts>>({});
/** A screen beyond the first ones was asked for. */
let wantsAll = false;

export const language = {
  get current(): Language {
    return current;
  },
};

/** Chosen by the person here; `null` where the browser's own is used. */
export function chosenLanguage(): Language | null {
  const stored = localStorage.getItem(STORED);
  return stored === 'ko' || stored === 'en' ? stored : null;
}

export function preferredLanguage(): Language {
  const chosen = chosenLanguage();
  if (chosen) return chosen;
  return navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en';
}

export async function useLanguage(next: Language, keep = false): Promise<void> {
  const [begin, rest] = await Promise.all([first[next](), wantsAll ? later[next]() : null]);
  // A screen that needs them all was opened while they came.
  if (wantsAll && rest === null) return useLanguage(next, keep);
  texts = { ...begin, ...rest };
  current = next;
  session.speak(next);
  document.documentElement.lang = next;
  if (keep) localStorage.setItem(STORED, next);
}

/** Before the first screen that needs them. */
export async function useAllTexts(): Promise<void> {
  if (wantsAll) return;
  const asked = current;
  const rest = await later[asked]();
  // Another language was chosen while they came: it brings its own.
  if (asked !== current) return useAllTexts();
  wantsAll = true;
  texts = { ...texts, ...rest };
}

/** A part of a first screen that is opened seldom: its texts come with it. */
export async function withTexts<T>(loaded: Promise<T>): Promise<T> {
  const [part] = await Promise.all([loaded, useAllTexts()]);
  return part;
}

type Values = Record<string, string | number>;

/** The text of a key; `{name}` is filled from `values`. */
export function t(key: Key, values: Values = {}): string {
  return fill(texts[key] ?? '', values);
}

/** The text of a code that the server gave; the code itself where there is none. */
export function tCode(family: string, code: string, values: Values = {}): string {
  const text = (texts as Record<string, string>)[`${family}.${code}`];
  return text === undefined ? code : fill(text, values);
}

/** Of a text that the server gives in both. */
export function local(text: { ko: string; en: string }): string {
  return text[current];
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}
