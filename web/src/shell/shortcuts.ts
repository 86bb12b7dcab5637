// Keys that lead somewhere. None of them decides anything: a yes is pressed where it stands.

import { go } from '../router.svelte';

export const SHORTCUTS = [
  { keys: ['?'], name: 'help' },
  { keys: ['/'], name: 'message' },
  { keys: ['g', 'n'], name: 'new' },
  { keys: ['g', 'c'], name: 'chat' },
  { keys: ['g', 'a'], name: 'approvals' },
  { keys: ['g', 'e'], name: 'executions' },
  { keys: ['g', 'l'], name: 'audit' },
  { keys: ['g', 'p'], name: 'policy' },
  { keys: ['g', 's'], name: 'systems' },
  { keys: ['g', 'd'], name: 'docs' },
] as const;

const PLACES: Readonly<Record<string, string>> = {
  n: '{home}/chat', c: '{home}/chat', a: '/approvals', e: '{home}/executions', l: '{home}/audit',
  p: '{home}/policy', s: '{home}/systems', d: '/docs',
};
/** Between the two keys of one. */
const TOGETHER_MS = 1_500;

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** Until the returned function is called. Nothing is taken from a text field or a dialog. */
export function listenForKeys(home: () => string, onhelp: () => void): () => void {
  let began = 0;
  const pressed = (event: KeyboardEvent): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !event.repeat;
    if (!plain || event.defaultPrevented || isText(event.target) || document.querySelector('dialog[open]')) return;
    const isSecond = event.timeStamp - began < TOGETHER_MS;
    began = 0;
    const place = isSecond ? PLACES[event.key] : undefined;
    if (place !== undefined) go(place.replace('{home}', home()));
    else if (event.key === 'g') began = event.timeStamp;
    else if (event.key === '?') onhelp();
    else if (event.key === '/') {
      const field = document.querySelector<HTMLElement>('main textarea, main input[type="search"]');
      if (!field) return;
      field.focus();
    } else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}
