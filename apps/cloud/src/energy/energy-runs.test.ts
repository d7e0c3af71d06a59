import { ENERGY_CONFIG_SCHEMAS, type EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { RegisteredDevice } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { EnergyDaysStore, TouchedDay } from './energy-days.store.ts';
import { planOf } from './energy-plan.ts';
import { hashOf } from './energy-rows.ts';
import { EnergyRuns } from './energy-runs.ts';

const [HILL, MAST] = ['0b0b0b0b-0000-4000-8000-000000000001', '0b0b0b0b-0000-4000-8000-000000000002'];
const device = (id: string): RegisteredDevice => ({
  ...{ id, workgroup: 'main', name: id, ced: false, createdAt: 0, quarantine: null },
  ...{ info: {}, sourceInfo: {}, sourceLabels: {} },
});
const of = (deviceId: string, table: string, kind: KnownSource['kind'], name: string, units: string) => {
  const role = kind === 'inverter' ? ('energyTotal' as const) : null;
  const fields = [{ name, units, role, factor: 1, offset: 0 }];
  return { deviceId, table, source: 'one', kind, fields };
};

/** The days that are to be computed after the mast measured something on one of them. */
async function touchedBy(roles: object): Promise<TouchedDay[]> {
  const configs = Object.fromEntries(
    Object.entries(ENERGY_CONFIG_SCHEMAS).map(([name, schema]) => [
      name,
      schema.parse(name === 'iec-perf-ratio-config' ? { roles } : {}),
    ]),
  ) as EnergyConfigs;
  const plan = planOf({
    ...{ configs, timezone: 'UTC', zones: new Map(), entities: [] },
    known: [of(HILL, 'solar', 'inverter', 'Energy', 'Wh'), of(MAST, 'sky', 'station', 'Light', 'W/m²')],
    devices: new Map([HILL, MAST].map((id) => [id, device(id)])),
  });
  const rules = Object.fromEntries([...plan].map(([id, one]) => [id, hashOf(configs, one)]));
  let touched: readonly TouchedDay[] = [];
  const runs = new EnergyRuns({
    store: {
      watch: async () => ({ storedAt: 0, rules }),
      unfinished: async () => [],
      watched: async (_workgroup: string, now: { touched: readonly TouchedDay[] }) => {
        touched = now.touched;
      },
    } as unknown as EnergyDaysStore,
    telemetry: {
      asSystem: () => ({ touchedDevices: async () => [{ device: MAST, at: Date.UTC(2026, 5, 1, 12) }] }),
    } as unknown as Telemetry,
    around: async () => ({ configs, plan }),
    workgroups: async () => ['main'],
    work: async () => {},
    curtailed: async () => new Map(),
    changed: async () => {},
    log: pino({ enabled: false }),
  });
  await runs.look('main');
  return [...touched];
}

test('what a device measured has the days computed again of those that read it, and of no others', async () => {
  const irradiancePoa = { from: 'field', table: 'sky', field: 'Light', device: MAST };
  expect(await touchedBy({ irradiancePoa })).toMatchObject([{ device: HILL, day: '2026-06-01' }]);
  expect(await touchedBy({})).toEqual([]);
});
