import { IconChevronRight } from '@tabler/icons-react';
import { Link, useLocation, useMatchRoute } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuLink, MenuMore } from '../../app/feature.ts';
import { LaterMenu } from '../../app/later-menu.tsx';
import { Hint } from '../../ui/hint.tsx';
import { Badge, BadgeOf, useBadge } from './menu-badge.tsx';
import classes from './shell.module.css';
import type { MenuLine } from './visible-menu.ts';

const loadLines = async () => (await import('./submenu-lines.tsx')).SubmenuLines;

/** Hover times of submenus. Source: specification 1, section 9. */
const OPEN_MS = 100;
const CLOSE_MS = 300;

interface MenuItemProps {
  entry: MenuLine;
  /** `wide` and `slim` are the column with and without words; the drawer unfolds what the column opens beside it. */
  kind: 'wide' | 'slim' | 'drawer';
  onFollow: () => void;
}

export function MenuItem({ entry, kind, onFollow }: MenuItemProps) {
  const { t } = useTranslation();
  const title = t(entry.title);
  if (entry.items && kind === 'drawer')
    return <Unfolded entry={entry} title={title} items={entry.items} onFollow={onFollow} />;
  if (entry.items) return <Submenu entry={entry} items={entry.items} isSlim={kind === 'slim'} />;
  return <Line entry={entry} title={title} isSlim={kind === 'slim'} onFollow={onFollow} />;
}

interface LineProps {
  entry: MenuLine;
  title: string;
  isSlim: boolean;
  onFollow: () => void;
}

function Line({ entry, title, isSlim, onFollow }: LineProps) {
  const badge = useBadge(entry);
  const label = badge ? `${title}, ${badge.title}` : title;
  return (
    <li>
      <Hint label={label} position="right" disabled={!isSlim}>
        <Link
          to={entry.to ?? '/'}
          className={classes.item}
          {...(isSlim ? { 'aria-label': label } : {})}
          onClick={onFollow}
        >
          <entry.Icon size={19} stroke={1.7} aria-hidden="true" />
          {isSlim ? null : <span className={classes.itemName}>{title}</span>}
          <Badge badge={badge} isSlim={isSlim} />
        </Link>
      </Hint>
    </li>
  );
}

interface SubmenuProps {
  entry: MenuLine;
  items: readonly MenuLink[];
  isSlim: boolean;
}

/** Opens beside the column when the pointer rests on it, and by click, touch and keys. */
function Submenu({ entry, items, isSlim }: SubmenuProps) {
  const { t } = useTranslation();
  const matchRoute = useMatchRoute();
  const { pathname } = useLocation();
  const title = t(entry.title);
  const more = useMore(entry);
  const badged = items.filter((item) => item.useBadge);
  const isActive = items.some(
    ({ to, also }) => matchRoute({ to, fuzzy: true }) || (also !== undefined && pathname.startsWith(also)),
  );
  return (
    <li>
      <LaterMenu
        trigger="click-hover"
        openDelay={OPEN_MS}
        closeDelay={CLOSE_MS}
        position="right-start"
        offset={4}
        width={220}
        loop
        load={loadLines}
        of={{ title: isSlim ? title : null, items, more }}
      >
        <button
          type="button"
          className={classes.item}
          aria-label={isSlim ? title : undefined}
          data-status={isActive ? 'active' : undefined}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowRight') return;
            event.preventDefault();
            event.currentTarget.click();
          }}
        >
          <entry.Icon size={19} stroke={1.7} aria-hidden="true" />
          {isSlim ? null : (
            <>
              <span className={classes.itemName}>{title}</span>
              {badged.map((item) => (
                <BadgeOf key={item.to} item={item} />
              ))}
              <IconChevronRight size={15} className={classes.more} aria-hidden="true" />
            </>
          )}
        </button>
      </LaterMenu>
    </li>
  );
}

/** The things of the workgroup below the lines of an entry. */
function useMore({ useMore: find = useNothing }: MenuLine): readonly MenuMore[] {
  return find();
}

const NOTHING: readonly MenuMore[] = [];
const useNothing = () => NOTHING;

interface UnfoldedProps {
  entry: MenuLine;
  title: string;
  items: readonly MenuLink[];
  onFollow: () => void;
}

function Unfolded({ entry, title, items, onFollow }: UnfoldedProps) {
  const { t } = useTranslation();
  const more = useMore(entry);
  return (
    <li>
      <div className={classes.group}>{title}</div>
      <ul className={classes.items}>
        {items.map((item) => (
          <li key={item.to}>
            <Link to={item.to} className={classes.item} onClick={onFollow}>
              <span className={classes.indented}>{t(item.title)}</span>
              <BadgeOf item={item} />
            </Link>
          </li>
        ))}
        {more.map(({ to, name, group }, at) => (
          <Fragment key={to}>
            {group === more[at - 1]?.group ? null : <li className={classes.subgroup}>{t(group)}</li>}
            <li>
              <Link to={to} className={classes.item} onClick={onFollow}>
                <span className={classes.indented}>{name}</span>
              </Link>
            </li>
          </Fragment>
        ))}
      </ul>
    </li>
  );
}
