import { denialOf, isOn, type RouteInfo, type Visitor } from '../../app/guard.ts';
import type { MenuEntry, MenuLink } from './menu-entries.ts';

/** The routes by address with what they say of themselves; those without a title have no screen of their own. */
export type Screens = Readonly<Record<string, { options: { staticData?: RouteInfo } } | undefined>>;

/** What of the menu this visitor sees: what has a screen that he may open. A submenu of nothing is left out. */
export function visibleMenu(entries: readonly MenuEntry[], visitor: Visitor, screens: Screens): MenuEntry[] {
  return entries.flatMap((entry): MenuEntry[] => {
    if (!meets(entry, visitor)) return [];
    const { items, ...rest } = entry;
    if (!items) {
      const to = screenOf(entry.to ?? '', visitor, screens);
      return to === null ? [] : [{ ...rest, to }];
    }
    const seen = items.flatMap((item): MenuLink[] => {
      const to = meets(item, visitor) ? screenOf(item.to, visitor, screens) : null;
      return to === null ? [] : [{ ...item, to }];
    });
    return seen.length === 0 ? [] : [{ ...rest, items: seen }];
  });
}

function meets({ guard = {}, anyOf, staffOr }: Partial<MenuLink>, visitor: Visitor): boolean {
  // A parent stands for its links, which carry the flags of the limited kinds of user themselves.
  if (denialOf(guard, visitor)) return false;
  if (staffOr !== undefined && !visitor.isStaff && !visitor.addons.includes(staffOr)) return false;
  return !anyOf || anyOf.some((one) => isEnabled(one, visitor));
}

function isEnabled(condition: string, { addons, settings }: Visitor): boolean {
  const [kind, name = ''] = condition.split(':');
  return kind === 'addon' ? addons.includes(name) : isOn(settings[name]);
}

/** The address itself where a route has it, else the first screen below it that the visitor may open; null for none. */
function screenOf(to: string, visitor: Visitor, screens: Screens): string | null {
  const mayOpen = (path: string) => denialOf(screens[path]?.options.staticData ?? {}, visitor) === null;
  if (screens[to]) return mayOpen(to) ? to : null;
  const below = Object.keys(screens).filter(
    (path) => path.startsWith(`${to}/`) && !path.includes('$') && screens[path]?.options.staticData?.title,
  );
  return below.find(mayOpen) ?? null;
}
