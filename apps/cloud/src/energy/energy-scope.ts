import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../errors/app-error.ts';
import type { RegisteredDevice } from '../registry/registry.ts';
import type { DaysOf } from './energy-days.store.ts';
import { isOwnSite } from './meter-scope.ts';

export type MeterSite = EnergyConfigs['meter-data-config']['sites'][number];

/** What a report is about, as far as it exists for the caller. */
export interface ReportScope {
  kind: 'portfolio' | 'site' | 'device' | 'source';
  days: DaysOf;
  devices: readonly RegisteredDevice[];
  /** Meter sites that are wholly theirs. */
  sites: readonly MeterSite[];
  /** The one that is asked for, where that is a meter site. */
  site: MeterSite | null;
  source: { device: string; table: string; source: string } | null;
  path: { scope: string; name: string }[];
}

export interface ScopeWorld {
  caller: Caller;
  visible: readonly RegisteredDevice[];
  sites: readonly MeterSite[];
  exists: (device: string) => boolean;
  /** All of the workgroup, whoever asks. */
  entities: () => Promise<ReadonlyMap<string, Entity>>;
}

/** Throws `request.not_found` for what does not exist for the caller. */
export async function resolveScope(text: string, world: ScopeWorld): Promise<ReportScope> {
  const { caller, visible, sites } = world;
  const byId = new Map(visible.map((device) => [device.id, device]));
  // What was deleted since is no part of a site any more.
  const own = sites
    .map((site) => ({ ...site, devices: site.devices.filter(world.exists) }))
    .filter((site) => isOwnSite(caller.devices, site));
  const [kind = '', rest = ''] = [text.split(':', 1)[0], text.slice(text.indexOf(':') + 1)];
  const base = { sites: own, site: null, source: null, path: [{ scope: 'portfolio', name: '' }] };
  const of = (devices: readonly RegisteredDevice[]) => ({ devices, days: daysOf(caller, devices) });
  if (kind === 'portfolio') return { ...base, kind, ...of(visible) };
  if (kind === 'site') {
    const site = own.find(({ id }) => id === rest) ?? null;
    if (site) {
      const devices = site.devices.flatMap((id) => byId.get(id) ?? []);
      return { ...base, kind, ...of(devices), site, path: [...base.path, { scope: text, name: site.name }] };
    }
    const found = entitySite(await world.entities(), rest);
    const isTheirs = ({ device, source }: { device: string; source: string }) =>
      byId.has(device) && (caller.devices.sources(device)?.has(source) ?? true);
    if (!found || (!caller.devices.isAll && !(found.sources.length > 0 && found.sources.every(isTheirs))))
      throw new AppError('request.not_found');
    const devices = [...new Set(found.sources.map(({ device }) => device))].flatMap(
      (id) => byId.get(id) ?? [],
    );
    const days = { devices: [], sources: found.sources.filter(isTheirs) };
    return { ...base, kind, devices, days, path: [...base.path, { scope: text, name: found.name }] };
  }
  const [id = '', table = '', ...names] = rest.split('/');
  const device = byId.get(kind === 'device' ? rest : id);
  if (!device) throw new AppError('request.not_found');
  const above = own.find(({ devices }) => devices.includes(device.id));
  const path = [
    ...base.path,
    ...(above ? [{ scope: `site:${above.id}`, name: above.name }] : []),
    { scope: `device:${device.id}`, name: device.name },
  ];
  if (kind === 'device') return { ...base, kind, ...of([device]), path };
  const source = decoded(names.join('/'));
  const visibleSources = caller.devices.sources(device.id);
  if (kind !== 'source' || (visibleSources && !visibleSources.has(source)))
    throw new AppError('request.not_found');
  const place = { device: device.id, table: decoded(table), source };
  return {
    ...base,
    kind,
    devices: [device],
    days: { devices: [device.id], sources: [], only: place },
    source: place,
    path: [...path, { scope: text, name: source }],
  };
}

/** The scope of a source: a table or a source may be called anything. */
export const sourceScope = ({
  device,
  table,
  source,
}: {
  device: string;
  table: string;
  source: string;
}): string => `source:${device}/${encodeURIComponent(table)}/${encodeURIComponent(source)}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Devices that are visible in part are read source by source. */
export function daysOf(
  { devices: scope }: Pick<Caller, 'devices'>,
  devices: readonly RegisteredDevice[],
): DaysOf {
  const whole: string[] = [];
  const sources: DaysOf['sources'][number][] = [];
  for (const { id } of devices) {
    const some = scope.sources(id);
    if (some === null) whole.push(id);
    else for (const source of some) sources.push({ device: id, source });
  }
  return { devices: whole, sources };
}

/** The sources of an entity and of everything below it. */
function entitySite(
  byId: ReadonlyMap<string, Entity>,
  id: string,
): { name: string; sources: { device: string; source: string }[] } | null {
  const entity = byId.get(id);
  if (!entity) return null;
  const sources = new Map<string, { device: string; source: string }>();
  const seen = new Set<string>();
  const visit = (one: Entity | undefined): void => {
    if (!one || seen.has(one._id)) return;
    seen.add(one._id);
    for (const { deviceId: device, source } of one.signals.sources)
      sources.set(`${device}\n${source}`, { device, source });
    for (const child of one.children) visit(byId.get(child));
  };
  visit(entity);
  return { name: entity.name, sources: [...sources.values()] };
}
