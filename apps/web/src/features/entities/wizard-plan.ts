import type { Entity, NewEntity } from '@albedo/contract/entities/entities.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { Machine } from '@albedo/contract/machines/machines.schema';

/** An entity that the wizard would make. */
export interface PlannedChild {
  /** Name of the source. */
  source: string;
  /** What the source is taken for: what an entity that reads it already is, or the one machine that fits; else null. */
  machine: Machine | null;
  /** It is a computer, which is rarely meant. */
  isComputer: boolean;
}

/** What is known of an entity that reads sources. */
interface Reader extends Pick<Entity, 'machine'> {
  signals: Pick<Entity['signals'], 'sources'>;
}

export interface PlannedSite {
  deviceId: string;
  name: string;
  children: PlannedChild[];
}

/** A source of a device as a key. */
export const keyOf = (deviceId: string, source: string): string => `${deviceId}\n${source}`;

const onlyOne = <T>(all: readonly T[]): T | null => (all.length === 1 ? (all[0] ?? null) : null);

/** Ids of machines by source, of entities that read nothing but this source. */
function knownMachines(entities: readonly Reader[]): Map<string, string> {
  return new Map(
    entities.flatMap(({ machine, signals }) => {
      const source = onlyOne(signals.sources);
      return machine !== null && source ? [[keyOf(source.deviceId, source.source), machine] as const] : [];
    }),
  );
}

/** A site for each device, with a child for each of its sources. */
export function planSites(
  devices: readonly { id: string; name: string }[],
  sources: readonly KnownSource[],
  machines: readonly Machine[],
  entities: readonly Reader[],
): PlannedSite[] {
  const known = knownMachines(entities);
  const byDevice = new Map<string, Map<string, KnownSource[]>>();
  for (const one of sources) {
    const ofDevice = byDevice.get(one.deviceId) ?? new Map<string, KnownSource[]>();
    ofDevice.set(one.source, [...(ofDevice.get(one.source) ?? []), one]);
    byDevice.set(one.deviceId, ofDevice);
  }
  return devices.map(({ id, name }) => ({
    deviceId: id,
    name,
    children: [...(byDevice.get(id) ?? [])].map(([source, all]) => ({
      source,
      machine:
        machines.find(({ _id }) => _id === known.get(keyOf(id, source))) ??
        onlyOne(fittingMachines(all, machines)),
      isComputer: all.every(({ kind }) => kind === 'computer'),
    })),
  }));
}

/**
 * Machines whose roles the source has, all of them: those with the most roles, and of these those whose class is what the
 * source is, where there are such. Makes that send the same fields cannot be told apart, so that several may be left.
 */
export function fittingMachines(
  sources: readonly KnownSource[],
  machines: readonly Machine[],
): readonly Machine[] {
  const weighed = machines.flatMap((machine) => {
    const roles = Object.values(machine.roles).filter((role) => role !== undefined);
    const has = roles.every(({ table, field }) =>
      sources.some((one) => one.table === table && one.fields.some(({ name }) => name === field)),
    );
    if (roles.length === 0 || !has) return [];
    return [
      { machine, weight: roles.length + (sources.some(({ kind }) => kind === machine.class) ? 0.5 : 0) },
    ];
  });
  const most = Math.max(...weighed.map(({ weight }) => weight));
  return weighed.filter(({ weight }) => weight === most).map(({ machine }) => machine);
}

/** What is sent: sites and children with ids of their own, so that they can name each other. */
export function entitiesOf(
  sites: readonly PlannedSite[],
  parent: string | null,
): (Pick<NewEntity, 'name' | 'parent' | 'machine'> & Pick<Entity, '_id'> & { signals: object })[] {
  return sites.flatMap(({ deviceId, name, children }) => {
    const _id = crypto.randomUUID();
    const site = { _id, name, parent, machine: null, signals: {} };
    return [
      site,
      ...children.map(({ source, machine }) => ({
        _id: crypto.randomUUID(),
        name: source,
        parent: _id,
        machine: machine?._id ?? null,
        signals: { sources: [{ deviceId, source }] },
      })),
    ];
  });
}
