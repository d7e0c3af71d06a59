import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { deviceZone, siteOf } from '../../app/device-zone.ts';
import { useWorkgroup } from '../../app/session.ts';
import { deviceQuery, latestQuery } from '../devices/devices.queries.ts';
import type { KnownDevice } from './drawn-lines.ts';

/** What is known of devices besides their names, by id; those that are not there yet are missing. */
export function useKnownDevices(ids: readonly string[]): ReadonlyMap<string, KnownDevice> {
  const wg = useWorkgroup();
  const latest = useQueries({ queries: ids.map((id) => latestQuery(wg, id)), combine: sourcesOf });
  const devices = useQueries({ queries: ids.map((id) => deviceQuery(wg, id)), combine: devicesOf });
  return useMemo(
    () =>
      new Map(
        devices.flatMap((device, i): [string, KnownDevice][] => {
          if (!device) return [];
          const facts = { site: siteOf(device), zone: deviceZone(device), sources: latest[i] ?? [] };
          return [[device.id, facts]];
        }),
      ),
    [devices, latest],
  );
}

// The same functions over time, so that their answers stay the same until something changes.
const sourcesOf = (all: readonly { data: LatestSource[] | undefined }[]) => all.map(({ data }) => data);
const devicesOf = (all: readonly { data: Device | undefined }[]) => all.map(({ data }) => data);
