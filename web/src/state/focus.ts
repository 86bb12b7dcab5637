// Keyboard focus is not lost with what had it: it goes to the nearest place around that is left.

let held: { element: Element; around: HTMLElement[] } | null = null;

function noted(event: FocusEvent): void {
  const element = event.target instanceof Element ? event.target : null;
  const around: HTMLElement[] = [];
  for (let at = element?.parentElement ?? null; at && at !== document.body; at = at.parentElement) around.push(at);
  held = element && { element, around };
}

/** Left by a press beside everything, not taken away under a person's hands. */
function left(): void {
  setTimeout(() => {
    if (held?.element.isConnected && document.activeElement === document.body) held = null;
  });
}

function look(): void {
  if (held === null || held.element.isConnected || document.activeElement !== document.body) return;
  const place = held.around.find((one) => one.isConnected);
  held = null;
  if (place) land(place);
}

function land(place: HTMLElement): void {
  const isBare = !place.hasAttribute('tabindex');
  if (isBare) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus({ preventScroll: true });
}

/** Watches the whole page; ends with the returned function. */
export function keepFocus(): () => void {
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', noted);
  document.addEventListener('focusout', left);
  return () => {
    watch.disconnect();
    document.removeEventListener('focusin', noted);
    document.removeEventListener('focusout', left);
  };
}
