import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { denialOf, visitorOf } from '../../app/guard.ts';
import { useSignedIn } from '../../app/session.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { indexItems, type SearchIndex, type SearchItem } from './search-items.ts';

/** Everything the user may find in their workgroup; `error` tells that the devices are missing from it. */
export function useSearchIndex(): { index: SearchIndex; error: Error | null } {
  const { workgroup } = useSignedIn();
  const pages = usePages();
  const { data: devices, error } = useQuery(deviceListQuery(workgroup));
  const found = namesOf(devices);
  const index = useMemo(() => indexItems([...found, ...pages]), [found, pages]);
  return { index, error };
}

let known: readonly SearchItem[] = [];

/**
 * The devices as items; the same list as before while no device came, went or was renamed. Facts change several times
 * a second, and sorting 10,000 names anew for each would be felt while typing.
 */
function namesOf(devices: readonly DeviceSummary[] = []): readonly SearchItem[] {
  const isSame =
    known.length === devices.length &&
    devices.every(({ id, name }, at) => known[at]?.id === id && known[at].title === name);
  if (!isSame) known = devices.map(({ id, name }) => ({ category: 'devices', id, title: name }));
  return known;
}

/** The routes without parameters that the user may open. */
function usePages(): SearchItem[] {
  const { t } = useTranslation();
  const { routesByPath } = useRouter();
  const session = useSignedIn();
  return useMemo(() => {
    const visitor = visitorOf(session);
    if (!visitor) return [];
    return Object.values(routesByPath).flatMap(({ id, fullPath, options: { staticData } }): SearchItem[] => {
      const isPage = id.startsWith('/shell') && staticData?.title && !staticData.isUnlisted;
      if (!isPage || fullPath.includes('$') || denialOf(staticData, visitor)) return [];
      return [{ category: 'pages', id: fullPath, title: t(staticData.title ?? '') }];
    });
  }, [routesByPath, session, t]);
}
