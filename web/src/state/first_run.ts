// How far the first run is, as this browser remembers it: whoever left in the middle is led back.

const STORED = 'wiiiv.setup';

export const firstRun = {
  /** The step where it was left; `null` where none was begun here, or it has ended. */
  get step(): string | null {
    return localStorage.getItem(STORED);
  },
  keep(step: string): void {
    localStorage.setItem(STORED, step);
  },
  end(): void {
    localStorage.removeItem(STORED);
  },
};
