import { useRouter } from '@tanstack/react-router';
import type { RouteInfo } from './guard.ts';

/** Addresses of the screens that need no parameter: those at which people may start. */
export function usePages(): string[] {
  const { routesByPath } = useRouter();
  return Object.values(routesByPath as Record<string, { fullPath: string; options: RouteOptions }>)
    .filter(({ fullPath, options }) => isPage(fullPath, options.staticData))
    .map(({ fullPath }) => fullPath)
    .toSorted();
}

interface RouteOptions {
  staticData?: RouteInfo;
}

/** Public pages, which everybody may open, are none to start at. */
const isPage = (path: string, data: RouteOptions['staticData']): boolean =>
  data?.title !== undefined &&
  !data.isUnlisted &&
  !path.includes('$') &&
  (!(data.access?.restricted && data.access.dashboardOnly) || path === '/profile');
