import { wearBrand } from './first-brand.ts';
import { isMenuOpen } from './menu-memory.ts';

/** Screens without bar and menu, whoever opens them. */
const BARE = /^\/(logout|session-expired|activate|invitation|reset|signup|display)(\/|$)/;

/** Bar and menu, still empty, for somebody who is signed in: what is painted until the app draws its own. */
export function showFirstShell(waiting: HTMLElement): void {
  if (BARE.test(window.location.pathname)) return;
  wearBrand();
  waiting.dataset.menu = isMenuOpen() ? 'open' : 'narrow';
}
