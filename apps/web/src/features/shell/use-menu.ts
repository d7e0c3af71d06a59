import { useState } from 'react';
import { isMenuOpen, rememberMenu } from '../../app/menu-memory.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';

export interface MenuState {
  /** A drawer on narrow screens, a column beside the content otherwise. */
  isDrawer: boolean;
  isOpen: boolean;
  toggle: () => void;
  close: () => void;
}

/** Whether the left menu is open; for wide screens the browser remembers it. */
export function useMenu(): MenuState {
  const isDrawer = useIsNarrow();
  const [isWideOpen, setWideOpen] = useState(isMenuOpen);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  function toggle() {
    if (isDrawer) return setDrawerOpen((open) => !open);
    rememberMenu(!isWideOpen);
    setWideOpen(!isWideOpen);
  }
  return {
    isDrawer,
    isOpen: isDrawer ? isDrawerOpen : isWideOpen,
    toggle,
    close: () => setDrawerOpen(false),
  };
}
