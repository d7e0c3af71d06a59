import type { Device } from '@albedo/contract/devices/devices.schema';
import { type PlantSite, readSite } from '@albedo/contract/plants/plant-site';

/** What the info of a device says of its site. */
export function siteOf({ settings }: Pick<Device, 'settings'>): PlantSite {
  const { info } = settings as Readonly<Record<string, unknown>>;
  const texts = typeof info === 'object' && info !== null ? Object.entries(info) : [];
  return readSite(Object.fromEntries(texts.map(([name, text]) => [name, String(text)])));
}

/** The zone of the site; where nobody says it, that of the machine, which often keeps its clock in UTC. */
export const deviceZone = (device: Pick<Device, 'settings' | 'meta'>): string | null =>
  siteOf(device).timeZone ?? device.meta.timezone ?? null;
