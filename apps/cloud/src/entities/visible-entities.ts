import {
  type Entity,
  NO_SIGNALS,
  refsIn,
  type Signals,
  splitRef,
} from '@albedo/contract/entities/entities.schema';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { EntityTree } from './entity-tree.ts';

/**
 * What of a tree exists for somebody: entities that the rules let them view, and of these, in a device group, the ones
 * with a visible stream, and names above them.
 */
export function visibleEntities(
  tree: EntityTree,
  devices: DeviceScope,
  mayView: ((id: string) => boolean) | null,
): readonly Entity[] {
  const viewed = mayView === null ? tree.list : tree.list.filter(({ _id }) => mayView(_id));
  const own = devices.isAll ? viewed : viewed.flatMap((one) => withinScope(one, devices) ?? []);
  const seen = new Map(own.map((one) => [one._id, one]));
  if (!devices.isAll)
    for (const { _id } of own)
      for (const above of tree.ancestorsOf(_id)) {
        const ancestor = tree.entity(above);
        if (!seen.has(above) && ancestor && mayView?.(above) !== false) seen.set(above, nameOf(ancestor));
      }
  return tree.list.flatMap(({ _id }) => {
    const one = seen.get(_id);
    return one ? [{ ...one, children: one.children.filter((child) => seen.has(child)) }] : [];
  });
}

const nameOf = ({ _id, name, parent, children }: Entity): Entity => ({
  _id,
  name,
  parent,
  children,
  labels: [],
  machine: null,
  meta: {},
  signals: NO_SIGNALS,
  settings: {},
  version: 0,
  isNameOnly: true,
});

/** The entity with the streams that are visible of it; null where none is. */
function withinScope(entity: Entity, devices: DeviceScope): Entity | null {
  const { signals, meta } = entity;
  const sees = (one: { deviceId: string; source: string }) => seesSource(devices, one.deviceId, one.source);
  const [sources, fields] = [signals.sources.filter(sees), signals.fields.filter(sees)];
  if (sources.length + fields.length === 0) return null;
  // A calculation may be over anything, and reports name devices in forms of their own.
  const visible: Signals = { ...NO_SIGNALS, sources, fields, fieldConfig: signals.fieldConfig };
  const isVisible = refsIn(meta).every(({ ref }) => {
    const place = splitRef(ref);
    return place !== null && sees(place);
  });
  const shown = isVisible
    ? meta
    : Object.fromEntries(
        Object.entries(meta).filter(([key, value]) => refsIn({ [key]: value }).length === 0),
      );
  return { ...entity, signals: visible, meta: shown };
}
