// The page key of a browser's log-in: the cookie alone opens nothing. It lies in the local storage of
// this very origin, for all tabs of this browser: a page of another port is sent the cookie, and reads
// no storage but its own.

const STORED = 'wiiiv.page';
const DEVICE = 'wiiiv.device';

/** Whose it is, so that a tab never goes on as somebody else. */
export interface PageKey {
  user: string;
  key: string;
}

function read(text: string | null): PageKey | null {
  if (text === null) return null;
  try {
    const { user, key } = JSON.parse(text) as Partial<PageKey>;
    return typeof user === 'string' && typeof key === 'string' ? { user, key } : null;
  } catch {
    return null;
  }
}

export const pageKey = {
  kept(): PageKey | null {
    return read(localStorage.getItem(STORED));
  },
  keep(fresh: PageKey): void {
    localStorage.setItem(STORED, JSON.stringify(fresh));
  },
  /** Unless another tab has signed in meanwhile. */
  forget(key: string): void {
    if (pageKey.kept()?.key === key) localStorage.removeItem(STORED);
  },
  /** Another tab has signed in or out. */
  whenChanged(act: (now: PageKey | null) => void): void {
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key === STORED || key === null) act(read(newValue));
    });
  },
};

/** By which the server knows at the next sign-in that somebody has signed in here before. It opens nothing. */
export const device = {
  known(): string | null {
    return localStorage.getItem(DEVICE);
  },
  keep(text: string | null | undefined): void {
    if (text) localStorage.setItem(DEVICE, text);
  },
};
