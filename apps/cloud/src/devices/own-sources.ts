import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { type DeviceMeta, resolveFields, SCENARIO_KINDS } from '@albedo/contract/devices/meta.schema';
import { AUDIT_STREAM } from '../audit/audit.service.ts';

/** What the device itself captures, without what the cloud notes about it; fields in the order of their stream. */
export function ownSources(sources: readonly LatestSource[], meta: DeviceMeta | null): LatestSource[] {
  return sources
    .filter(({ table, source }) => table !== AUDIT_STREAM.table || source !== AUDIT_STREAM.source)
    .map((one) => ({ ...one, values: inOrder(one, meta) }));
}

/** Fields that the meta does not name come last, as they were. */
function inOrder({ table, source, values }: LatestSource, meta: DeviceMeta | null): LatestSource['values'] {
  const names = meta ? fieldNames(meta, table, source) : [];
  const first = names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]);
  return { ...Object.fromEntries(first), ...values };
}

function fieldNames(meta: DeviceMeta, table: string, source: string): string[] {
  for (const kind of SCENARIO_KINDS) {
    const scenario = meta[kind].find((one) => one.table === table && one.source === source);
    if (scenario) return resolveFields(meta, kind, scenario).map(({ name }) => name);
  }
  return [];
}
