import type { AnyRoute, AsyncRouteComponent } from '@tanstack/react-router';
import type { Feature, Places } from './feature.ts';

let load: () => Promise<readonly Feature[]> = async () => [];
let features: readonly Feature[] = [];
let opening: Promise<readonly Feature[]> | null = null;
let placed = new Map<keyof Places, unknown>();

/** Says where the features come from. They are not loaded before somebody wants to see more than the public pages. */
export function provideFeatures(loader: typeof load): void {
  load = loader;
  opening = null;
}

/** Loads the features once; after a failure the next caller tries again. Errors: when they cannot be loaded. */
export function openInside(): Promise<readonly Feature[]> {
  opening ??= load().then(take);
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

/** Whether the screens behind sign-in are known yet. */
export const isInside = (): boolean => features.length > 0;

/** What stands in a place, in order: the same list each time. Nothing before `openInside`. */
export function announced<P extends keyof Places>(place: P): readonly Places[P][] {
  const known = placed.get(place) as readonly Places[P][] | undefined;
  if (known) return known;
  const found = features
    .flatMap(({ parts }): readonly Places[P][] => parts?.[place] ?? [])
    .toSorted((a, b) => a.at - b.at);
  placed.set(place, found);
  return found;
}

/** Loads what stands in a place, and what that shows, beside its screen. Where that fails, the place says so once it is drawn. */
export function loadBeside(place: 'devicesHead', wg: string): void {
  for (const { Content, ask } of announced(place)) {
    void (Content as AsyncRouteComponent<object>).preload?.()?.catch(() => {});
    ask(wg).catch(() => {});
  }
}

/** Whether a feature brought a screen for exactly this address. Nothing has one before `openInside`. */
export const hasScreen = (path: string): boolean =>
  features.some(
    ({ routes = [], accessRoutes = [], dataRoutes = [], workgroupRoutes = [], entityRoutes = [] }) =>
      [...routes, ...accessRoutes, ...dataRoutes, ...workgroupRoutes, ...entityRoutes].some((route) =>
        isAt(route, path),
      ),
  );

const isAt = (route: AnyRoute, path: string): boolean =>
  (route.fullPath === path && route.options.staticData?.title !== undefined) ||
  Object.values((route.children ?? {}) as Record<string, AnyRoute>).some((child) => isAt(child, path));

/** Where a bare address leads by now; null for any other one. */
export const leadOn = (path: string): string | null =>
  features.map((one) => one.leadOn?.(path)).find((to) => typeof to === 'string' && hasScreen(to)) ?? null;

function take(loaded: readonly Feature[]): readonly Feature[] {
  features = loaded;
  placed = new Map();
  return loaded;
}
