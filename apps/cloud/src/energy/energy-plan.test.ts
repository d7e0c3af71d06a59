import { ENERGY_CONFIG_SCHEMAS, type EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { expect, test } from 'vitest';
import type { RegisteredDevice } from '../registry/registry.ts';
import { planOf } from './energy-plan.ts';

const ID = '0b0b0b0b-0000-4000-8000-000000000001';
const device: RegisteredDevice = {
  ...{ id: ID, workgroup: 'main', name: 'Hill', ced: false, createdAt: 0, quarantine: null },
  ...{ info: {}, sourceInfo: {}, sourceLabels: {} },
};
const known = (source: string, kind: KnownSource['kind']): KnownSource => ({
  ...{ deviceId: ID, table: 'solar', source, kind },
  fields: [{ name: 'Total Energy', units: 'kWh', role: null, factor: 1, offset: 0 }],
});
function sourcesOf(
  set: { [Name in keyof EnergyConfigs]?: object },
  all: readonly KnownSource[],
  inEntity: string[],
) {
  const configs = Object.fromEntries(
    Object.entries(ENERGY_CONFIG_SCHEMAS).map(([name, schema]) => [
      name,
      schema.parse(set[name as keyof EnergyConfigs] ?? {}),
    ]),
  ) as EnergyConfigs;
  const sources = inEntity.map((source) => ({ deviceId: ID, source }));
  const plan = planOf({
    ...{ configs, timezone: 'UTC', known: all, devices: new Map([[ID, device]]), zones: new Map() },
    entities: [{ id: 'e', meta: {}, sources }],
  });
  return plan.get(ID)?.sources ?? [];
}
const streams = [{ method: 'totalEnergy', table: 'solar', field: 'Total Energy' }];
const INVERTERS = [known('inv-1', 'inverter'), known('inv-2', 'inverter'), known('inv-3', 'other')];

test('meters, batteries and stations of a configured table produce nothing', () => {
  const others = [known('grid', 'meter'), known('store', 'battery'), known('sky', 'station')];
  const sources = sourcesOf({ 'daily-energy-config': { streams } }, [...INVERTERS, ...others], []);
  expect(sources.map(({ source }) => source)).toEqual(['inv-1', 'inv-2', 'inv-3']);
});

test('a rating of a device or an entity is shared by its inverters, not given to each of them', () => {
  const peak = (value: string) => ({ peakPower: { from: 'value', value } });
  const daily = { streams, devices: { [ID]: peak('30 kWp') }, entities: { e: peak('8 kWp') } };
  const sources = sourcesOf({ 'daily-energy-config': daily }, INVERTERS, ['inv-1', 'inv-2']);
  expect(sources.map(({ ratings }) => ratings.peakKWp)).toEqual([4, 4, 10]);
});
