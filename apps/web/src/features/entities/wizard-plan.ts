import type { Entity, NewEntity } from '@albedo/contract/entities/entities.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { Machine } from '@albedo/contract/machines/machines.schema';

/** An entity that the wizard would make. */
export interface PlannedChild {
  /** Name of the source. */
  source: string;
  machine: Machine | null;
  /** It is a computer, which is rarely meant. */
  isComputer: boolean;
}

export interface PlannedSite {
  deviceId: string;
  name: string;
  children: PlannedChild[];
}

/** A site for each device, with a child for each of its sources. */
export function planSites(
  devices: readonly { id: string; name: string }[],
  sources: readonly KnownSource[],
  machines: readonly Machine[],
): PlannedSite[] {
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
      machine: guessMachine(all, machines),
      isComputer: all.every(({ kind }) => kind === 'computer'),
    })),
  }));
}

/**
 * The machine whose roles the source has, all of them: of several the one with the most; where several have as many, the
 * first whose class is what the source is. Null where none fits.
 */
export function guessMachine(sources: readonly KnownSource[], machines: readonly Machine[]): Machine | null {
  let best: { machine: Machine; weight: number } | null = null;
  for (const machine of machines) {
    const roles = Object.values(machine.roles).filter((role) => role !== undefined);
    const has = roles.every(({ table, field }) =>
      sources.some((one) => one.table === table && one.fields.some(({ name }) => name === field)),
    );
    if (roles.length === 0 || !has) continue;
    const weight = roles.length + (sources.some(({ kind }) => kind === machine.class) ? 0.5 : 0);
    if (best === null || weight > best.weight) best = { machine, weight };
  }
  return best?.machine ?? null;
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
