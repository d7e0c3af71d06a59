/** The KPIs of the demo over what its plants tell, beside the equations that the plants are made of. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plant } from '@albedo/simulator/plants/plant';
import { METER_UNIT, PLANTS, type PlantDescription, STATION_UNIT } from '@albedo/simulator/plants/plants';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TelemetryBlock } from '../apps/cloud/src/telemetry/telemetry.blocks.ts';
import { startTestCloud, type TestCloud } from '../apps/cloud/src/testing/test-cloud.ts';
import { sourceOf, unitsOf } from '../demo/src/agents.ts';
import { DAY_MS, historyInstants } from '../demo/src/history-plan.ts';
import { until } from './harness/processes.ts';

/** A month of each: in Denver an hour of it does not exist. Local midnights. */
const MONTHS: Record<string, [from: string, to: string]> = {
  hilltop: ['2026-03-01T00:00+02:00', '2026-04-01T00:00+02:00'],
  riverside: ['2026-03-01T00:00-07:00', '2026-04-01T00:00-06:00'],
  harbour: ['2026-03-01T00:00+09:30', '2026-04-01T00:00+09:30'],
};
const MINUTE = 60_000;

const data = mkdtempSync(join(tmpdir(), 'albedo-demo-kpis-'));
let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_DEMO: '1', ALBEDO_DATA: data });
  token = await cloud.owner();
}, 120_000);
afterAll(async () => {
  await cloud?.stop();
  rmSync(data, { recursive: true, force: true });
});

/** A store that is busy with what was just fed says so, and is asked again, as the web app does. */
const call = (method: string, path: string, body?: unknown) =>
  until(`an answer of ${path}`, 90, async () => {
    const reply = await cloud.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    return reply.status !== 503 && reply;
  }).then((reply) => {
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  });

/** What a unit tells at an instant, of what KPIs ask for. */
function readings(plant: Plant, unit: number, at: number): { table: string; values: Told[] } {
  const told = (name: string, units: string, value: number): Told => ({ name, units, value });
  if (unit === STATION_UNIT)
    return { table: 'weather', values: [told('Plane Irradiance', 'W/m²', plant.station(at).poaWm2)] };
  if (unit !== METER_UNIT)
    return {
      table: 'solar',
      values: [told('Total Energy', 'Wh', plant.inverter(unit, at).lifetimeEnergyWh)],
    };
  const { exportedWh, importedWh } = plant.meter(at);
  const values = [
    told('Total Energy Exported', 'Wh', exportedWh),
    told('Total Energy Imported', 'Wh', importedWh),
  ];
  return { table: 'meter', values };
}
type Told = { name: string; units: string; value: number };

/** The month and an hour around it, at the instants of the demo's history; silent where the unit is silent. */
function history(description: PlantDescription, device: string, from: number, to: number): TelemetryBlock[] {
  const plant = new Plant({ ...description, commissionedAt: from - 2 * DAY_MS });
  const plan = { liveFrom: to + 100 * DAY_MS, commissionedAt: 0 };
  const first = Math.floor(from / DAY_MS);
  const days = Array.from({ length: Math.floor(to / DAY_MS) - first + 1 }, (_, i) => first + i);
  const instants = days
    .flatMap((day) => historyInstants(plan, day))
    .filter((at) => at >= from - 60 * MINUTE && at <= to + 60 * MINUTE);
  return unitsOf(description).map((unit) => {
    const { table, values } = readings(plant, unit, from);
    const fields = values.map(({ name, units }) => ({ name, units, type: 'decimal' as const }));
    const rows = instants
      .filter((at) => plant.answers(unit, at))
      .map((at, i): [number, number, ...number[]] => [
        i + 1,
        at,
        ...readings(plant, unit, at).values.map(({ value }) => value),
      ]);
    const stream = { table, source: sourceOf(description, unit), fields };
    return { workgroup: 'demo', device, stream, rows };
  });
}

/** The same by the equations, without gaps of communication and every 5 minutes. */
function byEquations(description: PlantDescription, from: number, to: number) {
  const plant = new Plant({ ...description, commissionedAt: from - 2 * DAY_MS });
  const made = (at: number) =>
    plant.inverters.reduce((sum, _, i) => sum + plant.inverter(i + 1, at).lifetimeEnergyWh, 0) / 1000;
  const energy = made(to) - made(from);
  const [before, after] = [plant.meter(from), plant.meter(to)];
  const exported = (after.exportedWh - before.exportedWh) / 1000;
  const imported = (after.importedWh - before.importedWh) / 1000;
  let irradiation = 0;
  for (let at = from; at < to; at += 5 * MINUTE) irradiation += plant.station(at).poaWm2 / 12 / 1000;
  const { inverters, inverter } = description;
  const peak = (inverters * inverter.inputs * inverter.inputPowerW) / 1000;
  return {
    Energy: energy,
    'Specific yield': energy / peak,
    'Performance ratio': energy / (irradiation * peak),
    'Self-consumption': (energy - exported) / energy,
    Autarky: (energy - exported) / (energy - exported + imported),
  };
}

test.each(PLANTS.map((one) => [one.slug, one] as const))(
  'a month of %s: every KPI lies within 1 % of the equations',
  async (slug, description) => {
    const [from, to] = (MONTHS[slug] ?? []).map((one) => Date.parse(one)) as [number, number];
    const devices = await call('GET', 'devices/demo');
    const name = slug[0]?.toUpperCase() + slug.slice(1);
    const device = devices.find((one: { name: string }) => one.name === name).id;
    const { telemetry } = cloud.cloud.features;
    await telemetry.asSystem('ingest').insert(history(description, device, from, to), `history of ${slug}`);
    const kpis: Kpi[] = await call('GET', 'kpis/demo');
    for (const [title, expected] of Object.entries(byEquations(description, from, to))) {
      const kpi = kpis.find((one) => one.name === title);
      const answer = await call('POST', `kpis/demo/${kpi?._id}/evaluate`, { entity: slug, from, to });
      const [primary = ''] = Object.entries(kpi?.values ?? {}).find(([, { isPrimary }]) => isPrimary) ?? [];
      const { value, units } = answer.values[primary];
      const ratio = value / (units === '%' ? 100 * expected : expected);
      expect(Math.abs(ratio - 1), `${title}: ${value} ${units}, not ${expected}`).toBeLessThan(0.01);
    }
  },
  120_000,
);

type Kpi = { _id: string; name: string; values: Record<string, { isPrimary: boolean }> };
