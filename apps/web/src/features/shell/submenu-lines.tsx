import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuLink, MenuMore } from '../../app/feature.ts';
import { BadgeOf } from './menu-badge.tsx';
import classes from './shell.module.css';

interface SubmenuLinesProps {
  /** The header of the submenu, for the slim menu without words; else null. */
  title: string | null;
  items: readonly MenuLink[];
  more: readonly MenuMore[];
}

/** The submenu beside a line of the menu. */
export function SubmenuLines({ title, items, more }: SubmenuLinesProps) {
  const { t } = useTranslation();
  return (
    <>
      {title ? <Menu.Label>{title}</Menu.Label> : null}
      {items.map((item, at) => (
        <Fragment key={item.to}>
          {item.group && item.group !== items[at - 1]?.group ? (
            <Menu.Label>{t(item.group)}</Menu.Label>
          ) : null}
          <Menu.Item
            renderRoot={(props) => (
              <Link {...props} to={item.to} activeOptions={{ exact: true, includeSearch: false }} />
            )}
          >
            <span className={classes.withBadge}>
              {t(item.title)}
              <BadgeOf item={item} />
            </span>
          </Menu.Item>
        </Fragment>
      ))}
      {more.length > 0 ? <Menu.Divider /> : null}
      <div className={classes.things}>
        {more.map(({ to, name, group }, at) => (
          <Fragment key={to}>
            {group === more[at - 1]?.group ? null : <Menu.Label>{t(group)}</Menu.Label>}
            <Menu.Item renderRoot={(props) => <Link {...props} to={to} />}>{name}</Menu.Item>
          </Fragment>
        ))}
      </div>
    </>
  );
}
