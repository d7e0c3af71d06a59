/** From where each dialog that is open took the focus. */
const openers = new Map<Element, HTMLElement>();
/** The same of those that are gone: what opened a dialog may have stood in one that closed before it. */
const past = new WeakMap<Element, HTMLElement>();

/**
 * Gives the focus back to what opened a dialog when the dialog is gone. Dialogs here stand in the document as long as
 * they are open and no longer, so they cannot do it themselves. The answer stops it.
 */
export function keepFocus(): () => void {
  const stop = new AbortController();
  const observer = new MutationObserver(() => {
    for (const [dialog, opener] of openers) {
      if (dialog.isConnected) continue;
      openers.delete(dialog);
      past.set(dialog, opener);
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost) thereStill(opener)?.focus({ preventScroll: true });
    }
    if (openers.size === 0) observer.disconnect();
  });
  // Last outside of all dialogs: an entry of a menu is gone before its dialog is there.
  let last: HTMLElement | null = null;
  document.addEventListener(
    'focusin',
    ({ target, relatedTarget }) => {
      if (!(target instanceof HTMLElement)) return;
      const dialog = target.closest('[role=dialog]');
      if (!dialog) {
        last = lastingOf(target);
        return;
      }
      const from = relatedTarget instanceof HTMLElement ? lastingOf(relatedTarget) : last;
      if (!from || openers.has(dialog) || dialog.contains(from)) return;
      openers.set(dialog, from);
      observer.observe(document.body, { childList: true, subtree: true });
    },
    { signal: stop.signal },
  );
  return () => {
    stop.abort();
    observer.disconnect();
    openers.clear();
  };
}

/** The element, or what opened the dialog that it is gone with. */
function thereStill(opener: HTMLElement): HTMLElement | undefined {
  let one: HTMLElement | undefined = opener;
  while (one && !one.isConnected) {
    const dialog: Element | null = one.closest('[role=dialog]');
    one = dialog ? past.get(dialog) : undefined;
  }
  return one;
}

/** An entry of a menu is gone with the menu, whose button stays. */
function lastingOf(element: HTMLElement): HTMLElement {
  const button = element.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (button && document.getElementById(button)) || element;
}
