import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { compareNames } from '@albedo/contract/telemetry/name-order';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { isOfAPlant } from './field-order.ts';

export interface SourceGroup {
  table: string;
  sources: LatestSource[];
}

/** What the server notes about a device is stored under it too, but is no source of the device. */
const OF_THE_SERVER = 'audit_logs';

/** The sources that the device itself feeds. */
export const ownSources = (sources: readonly LatestSource[] | undefined): LatestSource[] =>
  (sources ?? []).filter((one) => one.table !== OF_THE_SERVER);

/**
 * Sources by table, in the order people count; what measures power, energy or irradiance comes before what the machine
 * tells of itself.
 */
export function groupSources(
  sources: readonly LatestSource[],
  tables: ReadonlyMap<string, TableInfo> = new Map(),
): SourceGroup[] {
  const groups = [...Map.groupBy(sources, (one) => one.table)].map(([table, members]) => ({
    table,
    sources: members.toSorted((a, b) => compareNames(a.source, b.source)),
    rank: rankOfTable(members, tables),
  }));
  return groups.toSorted((a, b) => a.rank - b.rank || compareNames(a.table, b.table));
}

function rankOfTable(members: readonly LatestSource[], tables: ReadonlyMap<string, TableInfo>): number {
  if (members.some(isPlumbing)) return 2;
  return members.some((one) => isOfAPlant(one.values, (field) => unitsOf(tables, one.table, field))) ? 0 : 1;
}

/** Tables that tell of the agent rather than of what it measures; they stand last. */
const PLUMBING = new Set(['black_box', 'agent_errors']);
export const isPlumbing = ({ table }: { table: string }): boolean => PLUMBING.has(table);

/**
 * Single readings that an agent takes of its own machine. They are named as such, since the head of the device shows the CPU as
 * a mean.
 */
export const isMachineReading = (field: string): boolean => MACHINE.test(field);
const MACHINE = /^(cpu|mem(ory)?|disk)[ _]usage$/i;

/** Names of the labels of a source. */
export type LabelNames = (source: LatestSource) => readonly string[];
const NO_LABELS: LabelNames = () => [];

/**
 * Sources and fields that match every word of the search, in the name of the table, source or field, or in a label of the
 * source.
 */
export function searchSources(
  sources: readonly LatestSource[],
  search: string,
  labelsOf: LabelNames = NO_LABELS,
): LatestSource[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...sources];
  return sources.flatMap((one) => {
    const stream = [one.table, one.source, ...labelsOf(one)].join(' ').toLowerCase();
    const left = words.filter((word) => !stream.includes(word));
    if (left.length === 0) return [one];
    const values = Object.entries(one.values).filter(([field]) =>
      left.every((word) => field.toLowerCase().includes(word)),
    );
    return values.length > 0 ? [{ ...one, values: Object.fromEntries(values) }] : [];
  });
}

/** Units of a field; null where it has none or the table is not known yet. */
export const unitsOf = (
  tables: ReadonlyMap<string, TableInfo>,
  table: string,
  field: string,
): string | null => tables.get(table)?.fields.find((one) => one.name === field)?.units ?? null;

/** A field that has steps and nothing between them: a switch, or a count or state without units. */
export function isStepped(tables: ReadonlyMap<string, TableInfo>, table: string, field: string): boolean {
  const info = tables.get(table)?.fields.find((one) => one.name === field);
  return info?.type === 'bool' || (info?.type === 'integer' && !info.units);
}

/** A text cannot be drawn as a line. */
export function onlyNumbers(source: LatestSource): LatestSource[] {
  const values = Object.entries(source.values).filter(([, value]) => typeof value !== 'string');
  return values.length > 0 ? [{ ...source, values: Object.fromEntries(values) }] : [];
}
