import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { useQuery } from '@tanstack/react-query';
import { useWorkgroup } from '../../app/session.ts';
import { deviceListQuery } from './devices.queries.ts';

interface Item {
  id: string;
  title: string;
}

/** The devices for the global search; `error` says that they are missing. */
export function useDeviceItems(): { items: readonly Item[]; error: Error | null } {
  const { data, error } = useQuery(deviceListQuery(useWorkgroup()));
  return { items: namesOf(data), error };
}

let known: readonly Item[] = [];

/**
 * The same list as before while no device came, went or was renamed. Facts change several times a second, and sorting
 * 10,000 names again for each change would slow typing down.
 */
function namesOf(devices: readonly DeviceSummary[] = []): readonly Item[] {
  const isSame =
    known.length === devices.length &&
    devices.every(({ id, name }, at) => known[at]?.id === id && known[at].title === name);
  if (!isSame) known = devices.map(({ id, name }) => ({ id, title: name }));
  return known;
}
