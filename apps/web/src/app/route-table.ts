import { reservedScreens } from '@albedo/contract/access/reserved.screens';
import type { Screen } from '@albedo/contract/access/screens';

const screens = new Map<string, Screen>(Object.entries(reservedScreens));
const patterns = [...screens].map(
  ([path, screen]) => [new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`), screen] as const,
);

/**
 * An address of the application that has no screen yet: visitors who lack something read what it is, all others that
 * there is no such page. Null for an address that means nothing. Exact paths win.
 */
export function reservedScreen(path: string): Screen | null {
  return screens.get(path) ?? patterns.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
