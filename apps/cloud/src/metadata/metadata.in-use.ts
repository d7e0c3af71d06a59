import type { FieldInUse, Info, MetadataInUse } from '@albedo/contract/metadata/metadata.schema';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { RegisteredDevice } from '../registry/registry.ts';

/** The fields that the metadata of some devices has, those that most have first; sources that are hidden count for nothing. */
export function metadataInUse(devices: readonly RegisteredDevice[], scope: DeviceScope): MetadataInUse {
  const sources = devices.flatMap(({ id, sourceInfo }) =>
    Object.entries(sourceInfo).flatMap(([source, info]) => (seesSource(scope, id, source) ? [info] : [])),
  );
  return {
    devices: devices.length,
    deviceFields: fieldsOf(devices.map(({ info }) => info)),
    sources: sources.length,
    sourceFields: fieldsOf(sources),
  };
}

function fieldsOf(infos: readonly Info[]): FieldInUse[] {
  const fields = new Map<string, FieldInUse>();
  for (const info of infos) {
    for (const [name, text] of Object.entries(info)) {
      if (text === '') continue;
      const known = fields.get(name);
      if (known) known.count++;
      else fields.set(name, { name, count: 1, example: text });
    }
  }
  return [...fields.values()].toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
