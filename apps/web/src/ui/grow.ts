import { wantsMotion } from './motion.ts';

/** Name that the title of a page has for the browser while something grows into it. */
export const PAGE_TITLE = 'page-title';

/**
 * Prepares what was pressed to grow into the title of the page that it opens. True where it will: the navigation has to be a
 * view transition then (`viewTransition`). Nothing moves for people who want no motion, and in browsers that cannot.
 */
export function grow(from: Element | null): boolean {
  if (!(from instanceof HTMLElement) || !('startViewTransition' in document) || !wantsMotion()) return false;
  from.style.viewTransitionName = PAGE_TITLE;
  // The page may stay, where the navigation is refused.
  setTimeout(() => {
    from.style.viewTransitionName = '';
  }, 1000);
  return true;
}
