import type { FieldRole } from '@albedo/contract/field-roles/field-roles';

/** Below this, power counts as zero, W. */
export const NOTHING_W = 5;

const WAYS: Partial<Record<FieldRole, readonly [plus: Way, minus: Way]>> = {
  gridPower: ['import', 'export'],
  batteryPower: ['discharging', 'charging'],
};
export type Way = 'import' | 'export' | 'charging' | 'discharging';

/** The word for the direction of a power, shown beside its signed value; null if it has no direction. */
export function wayOf(role: FieldRole | undefined, watts: number | string | null | undefined): Way | null {
  const ways = role && WAYS[role];
  if (!ways || typeof watts !== 'number' || Math.abs(watts) <= NOTHING_W) return null;
  return watts > 0 ? ways[0] : ways[1];
}
