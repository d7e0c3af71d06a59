import type { EnergyConfigs, RoleOrigin } from '@albedo/contract/energy/energy-config.schema';
import { readSite } from '@albedo/contract/plants/plant-site';
import { areaOfSource, peakKwOfArea } from '@albedo/energy/expected';
import type { RegisteredDevice } from '../registry/registry.ts';
import type { NewestFields } from './energy-newest.ts';

/** Where roles are mapped: for the workgroup, and otherwise for single devices and entities. */
export interface Mapped {
  roles: Partial<Record<string, RoleOrigin>>;
  devices: Record<string, Partial<Record<string, RoleOrigin>>>;
  entities: Record<string, Partial<Record<string, RoleOrigin>>>;
}

/** An entity as far as roles are read from it. */
export interface EntityFacts {
  id: string;
  meta: Readonly<Record<string, unknown>>;
  sources: readonly { deviceId: string; source: string }[];
}

/** Of which source a role is asked. */
export interface RolePlaceOf {
  device: RegisteredDevice;
  source: string | null;
  entity: EntityFacts | undefined;
  /** The newest values of fields that roles are mapped to. */
  newest: NewestFields;
}

/** Where a role stands: an entity says it before its device, a device before the workgroup. */
export function originOf(
  mapped: Mapped,
  role: string,
  { device, entity }: RolePlaceOf,
): RoleOrigin | undefined {
  return (
    (entity && mapped.entities[entity.id]?.[role]) ?? mapped.devices[device.id]?.[role] ?? mapped.roles[role]
  );
}

/** What stands for a role; null where nothing does, undefined where it is mapped nowhere. */
export function writtenOf(mapped: Mapped, role: string, of: RolePlaceOf): string | null | undefined {
  const origin = originOf(mapped, role, of);
  if (!origin) return undefined;
  if (origin.from === 'field') return of.newest.of(origin, of.device.id, of.source)?.text ?? null;
  if (origin.from === 'value') return String(origin.value);
  const { device, source, entity } = of;
  const facts: Readonly<Record<string, unknown>> | undefined =
    origin.level === 'device'
      ? device.info
      : origin.level === 'source'
        ? source === null
          ? undefined
          : device.sourceInfo[source]
        : entity?.meta;
  const value = facts && Object.hasOwn(facts, origin.key) ? facts[origin.key] : undefined;
  return value === undefined || value === null || value === '' ? null : String(value);
}

const kilowatts = (text: string): number | null => {
  const watts = readSite({ 'Peak power': text }).peakPowerW;
  return watts === null ? null : watts / 1000;
};

/** A field says its unit beside its values; what people write has it in the text, or is in kW. */
function withUnits(mapped: Mapped, role: string, of: RolePlaceOf, text: string): string {
  const origin = originOf(mapped, role, of);
  const units = origin?.from === 'field' ? (origin.units ?? of.newest.unitsOf(origin)) : null;
  return units ? `${text} ${units}` : text;
}

export interface Ratings {
  ratedKW: number | null;
  peakKWp: number | null;
}

/** Ratings of each of the inverters of a device: what is said of one, or an equal part of what is said of the device. */
export function ratingsOf(
  configs: EnergyConfigs,
  { device, newest }: Pick<RolePlaceOf, 'device' | 'newest'>,
  sources: readonly string[],
  entityOf: (source: string) => EntityFacts | undefined,
): Map<string, Ratings> {
  const site = readSite(device.info);
  const count = Math.max(1, sources.length);
  const part = (watts: number | null) => (watts === null ? null : watts / 1000 / count);
  const mappings: Mapped[] = [
    configs['daily-energy-config'] as Mapped,
    configs['capacity-factor-config'] as Mapped,
    configs['performance-ratio-config'] as Mapped,
    configs['iec-perf-ratio-config'] as Mapped,
  ];
  const read = (role: string, source: string): number | null | undefined => {
    const of = { device, source, entity: entityOf(source), newest };
    for (const mapped of mappings) {
      const text = writtenOf(mapped, role, of);
      if (text === undefined) continue;
      const value = text === null ? null : kilowatts(withUnits(mapped, role, of, text));
      return value === null || value <= 0 ? null : value / sharersOf(mapped, role, of);
    }
    return undefined;
  };
  /** What is said of a device or an entity is that of all its inverters. */
  const sharersOf = (mapped: Mapped, role: string, of: RolePlaceOf): number => {
    const origin = originOf(mapped, role, of);
    if (!origin) return 1;
    if (origin.from === 'field' && newest.of(origin, device.id, of.source)?.isOwn) return 1;
    const own = of.entity?.sources.filter(
      ({ deviceId, source }) => deviceId !== device.id || sources.includes(source),
    );
    const inEntity = Math.max(1, own?.length ?? 0);
    if (origin.from === 'metadata')
      return origin.level === 'device' ? count : origin.level === 'entity' ? inEntity : 1;
    if (of.entity && mapped.entities[of.entity.id]?.[role]) return inEntity;
    if (origin.from === 'field') return count;
    return mapped.devices[device.id]?.[role] ? count : 1;
  };
  const ofArea = areaOf(configs, { device, newest }, sources, entityOf);
  return new Map(
    sources.map((source) => {
      const own = readSite(device.sourceInfo[source] ?? {});
      const rated = read('ratedPower', source);
      const peak = read('peakPower', source);
      return [
        source,
        {
          ratedKW:
            rated === undefined
              ? own.ratedPowerW === null
                ? part(site.ratedPowerW)
                : own.ratedPowerW / 1000
              : rated,
          peakKWp:
            peak === undefined
              ? own.peakPowerW === null
                ? (part(site.peakPowerW) ?? ofArea(source))
                : own.peakPowerW / 1000
              : peak,
        },
      ];
    }),
  );
}

/** Peak power of a source by its part of the area and the efficiency of its modules; null where one of them is not said. */
function areaOf(
  configs: EnergyConfigs,
  { device, newest }: Pick<RolePlaceOf, 'device' | 'newest'>,
  sources: readonly string[],
  entityOf: (source: string) => EntityFacts | undefined,
): (source: string) => number | null {
  const config = configs['performance-ratio-config'] as Mapped;
  const number = (role: string, source: string | null): number | null => {
    const entity = source === null ? undefined : entityOf(source);
    const value = Number(
      writtenOf(config, role, { device, source, entity, newest })?.replace(',', '.') ?? Number.NaN,
    );
    return value > 0 ? value : null;
  };
  const areaM2 = number('panelArea', null);
  const panels = sources.map((source) => number('panelsPerSource', source));
  return (source) => {
    const efficiency = number('moduleEfficiency', source);
    if (areaM2 === null || efficiency === null) return null;
    const part = efficiency > 1 ? efficiency / 100 : efficiency;
    return peakKwOfArea(areaOfSource(areaM2, panels, sources.indexOf(source)), part);
  };
}
