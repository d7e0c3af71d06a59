import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import type { DeviceScope } from '../access/device-scope.ts';

type MeterConfig = EnergyConfigs['meter-data-config'];
type Scope = Pick<DeviceScope, 'isAll' | 'has' | 'sources'>;

/** A member of a device group sees sites that are wholly theirs; of a site without devices nobody knows whose it is. */
export const isOwnSite = (
  scope: Scope,
  { devices }: Pick<MeterConfig['sites'][number], 'devices'>,
): boolean =>
  scope.isAll || (devices.length > 0 && devices.every((id) => scope.has(id) && scope.sources(id) === null));

/** Codes of which the caller may know: a member of a device group those whose sites are all theirs. */
export function visibleCodes(
  { devices: scope }: { devices: Scope },
  { codes, sites }: Pick<MeterConfig, 'codes' | 'sites'>,
): string[] {
  if (scope.isAll) return codes.map(({ code }) => code);
  const own = new Set<string>();
  const others = new Set<string>();
  for (const site of sites) for (const code of site.codes) (isOwnSite(scope, site) ? own : others).add(code);
  return codes.flatMap(({ code }) => (own.has(code) && !others.has(code) ? [code] : []));
}
