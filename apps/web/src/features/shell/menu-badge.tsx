import { VisuallyHidden } from '@mantine/core';
import type { MenuBadge, MenuLink } from '../../app/feature.ts';
import { Beside } from './beside.tsx';
import classes from './shell.module.css';

/** What needs attention behind a line of the menu; null for nothing. */
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

/** The badge of a line in a submenu. If it fails, it is missing and the menu stays. */
export function BadgeOf({ item }: { item: MenuLink }) {
  return (
    <Beside>
      <FoundBadge item={item} />
    </Beside>
  );
}

/** A component of its own: the lines of a menu change with the rights of the user, and each has a hook. */
function FoundBadge({ item }: { item: MenuLink }) {
  return <Badge badge={useBadge(item)} isSlim={false} />;
}

const useNoBadge = () => null;
