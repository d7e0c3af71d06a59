import { useState } from 'react';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';

export interface MenuState {
  /** A drawer on narrow screens, a column beside the content otherwise. */
  isDrawer: boolean;
  isOpen: boolean;
  toggle: () => void;
  close: () => void;
}

const KEY = 'albedo.menu';
/** From this width on the menu is open until somebody closes it. */
const ROOMY_PX = 1024;

/** Whether the left menu is open; for wide screens the browser remembers it. */
export function useMenu(): MenuState {
  const isDrawer = useIsNarrow();
  const [isWideOpen, setWideOpen] = useState(() => {
    const kept = localStorage.getItem(KEY);
    return kept === null ? window.innerWidth >= ROOMY_PX : kept === 'open';
  });
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  function toggle() {
    if (isDrawer) return setDrawerOpen((open) => !open);
    localStorage.setItem(KEY, isWideOpen ? 'closed' : 'open');
    setWideOpen(!isWideOpen);
  }
  return {
    isDrawer,
    isOpen: isDrawer ? isDrawerOpen : isWideOpen,
    toggle,
    close: () => setDrawerOpen(false),
  };
}
