import { VisuallyHidden } from '@mantine/core';
import type { MenuBadge, MenuLink } from '../../app/feature.ts';
import classes from './shell.module.css';

/** What waits for somebody behind a line. */
export function useBadge({ useBadge: find = useNoBadge }: Pick<MenuLink, 'useBadge'>): MenuBadge | null {
  return find();
}

export function Badge({ badge, isSlim }: { badge: MenuBadge | null; isSlim: boolean }) {
  if (!badge) return null;
  return (
    <>
      <span
        className={classes.badge}
        data-slim={isSlim}
        data-quiet={badge.isQuiet ?? false}
        aria-hidden="true"
      >
        {badge.text}
      </span>
      <VisuallyHidden>{badge.title}</VisuallyHidden>
    </>
  );
}

/** As a piece of its own, since what a menu shows changes with the rights of the user. */
export function BadgeOf({ item, isSlim = false }: { item: MenuLink; isSlim?: boolean }) {
  return <Badge badge={useBadge(item)} isSlim={isSlim} />;
}

const useNoBadge = () => null;
