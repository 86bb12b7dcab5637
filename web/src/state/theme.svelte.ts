// Light, dark, or as the system is.

export type Theme = 'system' | 'light' | 'dark';

const STORED = 'wiiiv.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

let current = $state<Theme>('system');

export const theme = {
  get current(): Theme {
    return current;
  },
};

export function useTheme(next: Theme): void {
  current = next;
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
  localStorage.setItem(STORED, next);
}

export function restoreTheme(): void {
  const stored = localStorage.getItem(STORED);
  useTheme(THEMES.find((known) => known === stored) ?? 'system');
}
