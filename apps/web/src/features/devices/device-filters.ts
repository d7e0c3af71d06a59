import type { FilterMode } from '../../ui/filter-chip.tsx';
import { plain } from '../../ui/plain.ts';
import type { DeviceRow } from './device-rows.ts';

/** Filters by state: groups, and in each the values a device can have. Titles are `devices.filters.<id>`. */
export const FILTER_GROUPS = {
  status: ['online', 'offline'],
  health: ['ok', 'warning', 'danger'],
  kind: ['edge', 'cloud'],
  blackbox: ['yes', 'no'],
  config: ['same', 'differs'],
  quarantine: ['yes', 'no'],
} as const;

export type FilterGroup = keyof typeof FILTER_GROUPS;
/** `<group>.<value>`, or `unused` for the devices whose names start with z_. */
export type FilterId =
  | { [G in FilterGroup]: `${G}.${(typeof FILTER_GROUPS)[G][number]}` }[FilterGroup]
  | 'unused';
export type DeviceFilters = Partial<Record<FilterId, Exclude<FilterMode, null>>>;

export const FILTER_IDS: readonly FilterId[] = [
  ...Object.entries(FILTER_GROUPS).flatMap(([group, values]) =>
    values.map((value) => `${group}.${value}` as FilterId),
  ),
  'unused',
];

const stateOf: Record<FilterGroup, (row: DeviceRow) => string> = {
  status: ({ device }) => (device.facts.online ? 'online' : 'offline'),
  health: ({ health }) => health.alertStatus.raw,
  kind: ({ device }) => (device.ced ? 'cloud' : 'edge'),
  blackbox: ({ health }) => health.hasBlackBox.display,
  config: ({ device }) => (device.facts.configDiffersSince === null ? 'same' : 'differs'),
  quarantine: ({ device }) => (device.quarantine ? 'yes' : 'no'),
};

/** Hardware that is not in use is named so, and left out of lists unless asked for. */
export const isUnused = (name: string): boolean => name.startsWith('z_');

/** Reads filters as they stand in the address: ids separated by commas, one with `!` in front is excluded. */
export function parseFilters(text: unknown): DeviceFilters {
  const filters: DeviceFilters = {};
  for (const part of typeof text === 'string' ? text.split(',') : []) {
    const id = FILTER_IDS.find((one) => one === part.replace(/^!/, ''));
    if (id) filters[id] = part.startsWith('!') ? 'exclude' : 'include';
  }
  return filters;
}

export function formatFilters(filters: DeviceFilters): string | undefined {
  const parts = FILTER_IDS.filter((id) => filters[id]).map((id) =>
    filters[id] === 'exclude' ? `!${id}` : id,
  );
  return parts.length > 0 ? parts.join(',') : undefined;
}

/**
 * The devices that pass: in each group one of the included values if there are any, and none of the excluded ones.
 * `q` is looked for in name, id and operating system.
 */
export function filterDevices(rows: DeviceRow[], filters: DeviceFilters, q: string): DeviceRow[] {
  const wanted = plain(q.trim());
  const groups = (Object.keys(FILTER_GROUPS) as FilterGroup[]).map((group) => ({
    stateOf: stateOf[group],
    included: valuesOf(filters, group, 'include'),
    excluded: valuesOf(filters, group, 'exclude'),
  }));
  return rows.filter((row) => {
    const { device } = row;
    const unused = isUnused(device.name);
    if (filters.unused === 'include' ? !unused : unused && filters.unused !== undefined) return false;
    if (unused && filters.unused === undefined && wanted === '') return false;
    for (const group of groups) {
      const value = group.stateOf(row);
      if (group.excluded.includes(value)) return false;
      if (group.included.length > 0 && !group.included.includes(value)) return false;
    }
    return wanted === '' || matches(row, wanted);
  });
}

/** How many of the devices in use have each value. */
export function countFilters(rows: DeviceRow[]): Record<FilterId, number> {
  const known = counted.get(rows);
  if (known) return known;
  const counts = Object.fromEntries(FILTER_IDS.map((id) => [id, 0])) as Record<FilterId, number>;
  for (const row of rows) {
    if (isUnused(row.device.name)) {
      counts.unused++;
      continue;
    }
    const { facts, ced, quarantine } = row.device;
    counts[facts.online ? 'status.online' : 'status.offline']++;
    counts[OF_HEALTH[row.health.alertStatus.raw]]++;
    counts[ced ? 'kind.cloud' : 'kind.edge']++;
    counts[facts.configDiffersSince === null ? 'config.same' : 'config.differs']++;
    counts[quarantine ? 'quarantine.yes' : 'quarantine.no']++;
    counts[row.health.hasBlackBox.raw === true ? 'blackbox.yes' : 'blackbox.no']++;
  }
  counted.set(rows, counts);
  return counts;
}

const OF_HEALTH = { ok: 'health.ok', warning: 'health.warning', danger: 'health.danger' } as const;
const counted = new WeakMap<DeviceRow[], Record<FilterId, number>>();

function valuesOf(filters: DeviceFilters, group: FilterGroup, mode: FilterMode): string[] {
  return FILTER_GROUPS[group].filter((value) => filters[`${group}.${value}` as FilterId] === mode);
}

function matches({ device }: DeviceRow, wanted: string): boolean {
  return (
    plain(device.name).includes(wanted) ||
    device.id.startsWith(wanted) ||
    plain(device.facts.os ?? '').includes(wanted)
  );
}
