import { member } from '@albedo/contract/access/access';
import { isOn } from '@albedo/contract/http/query';
import type { MenuEntry, MenuLink, MenuTop } from '../../app/feature.ts';
import { denialOf, isDashboardOnly, isRestricted, type RouteInfo, type Visitor } from '../../app/guard.ts';

/** The routes by address with what they say of themselves; those without a title have no screen of their own. */
export type Screens = Readonly<Record<string, { options: { staticData?: RouteInfo } } | undefined>>;

/** A line of the menu with what opens beside it. */
export interface MenuLine extends MenuTop {
  items?: readonly MenuLink[];
}

/** What of the menu this visitor sees: what has a screen that they may open. A submenu of nothing is left out. */
export function visibleMenu(entries: readonly MenuEntry[], visitor: Visitor, screens: Screens): MenuLine[] {
  const linkOf = <L extends MenuLink>(link: L): L[] => {
    const to = meets(link, visitor) ? screenOf(link.to, visitor, screens) : null;
    return to === null ? [] : [{ ...link, to }];
  };
  return entries.flatMap((entry): MenuLine[] => {
    if ('under' in entry) return [];
    const { to, ...top } = entry;
    if (to !== undefined) return linkOf({ ...top, to });
    const items = entries.flatMap((one) => ('under' in one && one.under === top.title ? linkOf(one) : []));
    return items.length > 0 && meets(top, visitor) ? [{ ...top, items }] : [];
  });
}

function meets({ restricted, dashboardOnly, anyOf, staffOr }: Partial<MenuLink>, visitor: Visitor): boolean {
  // A parent stands for its links, which carry the flags of the limited kinds of user themselves.
  if (isDashboardOnly(visitor.scope) && !dashboardOnly) return false;
  if (isRestricted(visitor) && !restricted) return false;
  if (staffOr !== undefined && !visitor.isStaff && !visitor.addons.includes(staffOr)) return false;
  return !anyOf || anyOf.some((one) => isEnabled(one, visitor));
}

function isEnabled(condition: string, { addons, settings }: Visitor): boolean {
  const [kind, name = ''] = condition.split(':');
  return kind === 'addon' ? addons.includes(name) : isOn(settings[name]);
}

/**
 * The address itself where a route has it, else the first screen below it that the visitor may open; null for none. Who
 * lacks what the address asks for sees nothing of what is below. Only members of a device group do: some of that is theirs.
 */
function screenOf(to: string, visitor: Visitor, screens: Screens): string | null {
  const accessTo = (path: string) => screens[path]?.options.staticData?.access ?? member;
  const mayOpen = (path: string) => denialOf(accessTo(path), visitor) === null;
  if (screens[to] && mayOpen(to)) return to;
  const denial = denialOf(accessTo(to), visitor);
  if (denial && denial.required !== 'device-group') return null;
  const below = Object.keys(screens).filter(
    (path) => path.startsWith(`${to}/`) && !path.includes('$') && screens[path]?.options.staticData?.title,
  );
  return below.find(mayOpen) ?? null;
}
