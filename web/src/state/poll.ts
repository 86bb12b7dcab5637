// Looks again and again, only while the page is seen; at once when it is seen again.

/** Ends with the returned function. A look that takes long is not overtaken by the next. */
export function whileSeen(everyMs: number, look: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isLooking = false;

  async function turn(): Promise<void> {
    if (isOver || isLooking || document.visibilityState !== 'visible') return;
    clearTimeout(timer);
    isLooking = true;
    await look().finally(() => (isLooking = false));
    if (!isOver) timer = setTimeout(again, everyMs);
  }
  const again = (): void => void turn();

  timer = setTimeout(again, everyMs);
  document.addEventListener('visibilitychange', again);
  window.addEventListener('focus', again);
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', again);
    window.removeEventListener('focus', again);
  };
}
