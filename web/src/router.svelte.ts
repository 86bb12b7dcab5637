// A small path router over the history API. Screens stand in `routes.ts`, each in a chunk of its own.

import type { Component } from 'svelte';

export type Params = Record<string, string>;
export type Screen = Component<{ params: Params }>;
type Load = () => Promise<{ default: Screen }>;

export interface Route {
  pattern: string;
  load: Load;
  /** Without the shell, for people who are not signed in. */
  open: boolean;
  /** It does with the texts that are loaded first. */
  isFirst: boolean;
}

/** A screen may do without its parameters. */
type Loaded = { default: Screen | Component<Record<string, never>> };

export function route(pattern: string, load: () => Promise<Loaded>, open = false): Route {
  return { pattern, load: load as Load, open, isFirst: false };
}

/** One that people begin with: its texts stand in `i18n/ko.ts`, the others in `i18n/ko.screens.ts`. */
export function firstRoute(pattern: string, load: () => Promise<Loaded>, open = false): Route {
  return { ...route(pattern, load, open), isFirst: true };
}

let path = $state(location.pathname);
let search = $state(location.search);

export const router = {
  get path(): string {
    return path;
  },
  get query(): URLSearchParams {
    return new URLSearchParams(search);
  },
};

export function here(): string {
  return path + search;
}

/** Asked before this address is left by a person; `false`: not now. */
let asked: ((to: string) => boolean) | null = null;

/** For a screen with something unsaved; ends with the returned function. */
export function askBeforeLeaving(ask: (to: string) => boolean): () => void {
  asked = ask;
  return () => {
    if (asked === ask) asked = null;
  };
}

function mayLeave(url: URL | Location): boolean {
  return url.pathname === path || (asked?.(url.pathname + url.search) ?? true);
}

/** What somebody else wrote into an address leads nowhere but within this site. */
function within(to: string): URL {
  const home = new URL('/', location.origin);
  const url = URL.canParse(to, location.origin) ? new URL(to, location.origin) : home;
  // A `blob:` address has the origin of its maker, and is no page.
  return url.origin === location.origin && url.protocol === location.protocol ? url : home;
}

export function go(to: string, replace = false): void {
  const url = within(to);
  if (!replace && !mayLeave(url)) return;
  if (replace) history.replaceState(null, '', url);
  else if (url.href !== location.href) history.pushState(null, '', url);
  read();
}

/** Changes the query of this address; an empty value takes a name away. */
export function setQuery(changes: Record<string, string | null>, replace = true): void {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  go(path + (text ? `?${text}` : ''), replace);
}

function read(): void {
  path = location.pathname;
  search = location.search;
}

/** Parameters, or null where the path is another. `:name?` may be absent at the end. */
export function match(pattern: string, at: string): Params | null {
  const wanted = pattern.split('/').filter(Boolean);
  const given = at.split('/').filter(Boolean);
  if (given.length > wanted.length) return null;
  const params: Params = {};
  for (const [place, part] of wanted.entries()) {
    const value = given[place];
    if (!part.startsWith(':')) {
      if (part !== value) return null;
    } else if (value !== undefined) {
      params[part.slice(1).replace('?', '')] = decoded(value);
    } else if (!part.endsWith('?')) {
      return null;
    }
  }
  return params;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Plain presses on links of ours stay in the page. */
export function listen(): () => void {
  const pressed = (event: MouseEvent): void => {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    const link = (event.target as Element | null)?.closest?.('a');
    if (!plain || event.altKey || event.defaultPrevented || !link) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  };
  const moved = (): void => {
    if (mayLeave(location)) read();
    else history.pushState(null, '', path + search);
  };
  document.addEventListener('click', pressed);
  window.addEventListener('popstate', moved);
  return () => {
    document.removeEventListener('click', pressed);
    window.removeEventListener('popstate', moved);
  };
}
