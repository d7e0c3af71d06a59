import type { EnergyAtRisk } from '@albedo/contract/incidents/incidents.schema';
import { isInverter, type PlantReading, readPlant } from '@albedo/contract/plants/plant-reading';
import { readSite } from '@albedo/contract/plants/plant-site';
import type { FieldRoles, RoledLatest } from '../field-roles/field-roles.service.ts';
import type { IncidentRow, Incidents } from '../incidents/incidents.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** What was lost while nobody looked, before the first look and after a pause, is counted for at most so long. */
const FIRST_MS = HOUR_MS;
const PAUSE_MS = 5 * MINUTE_MS;
/** Missing daily energy is counted back this far at most. */
const PART_MS = 60 * 24 * HOUR_MS;
/** After a pause shorter than this the loss goes on at the current power; after a longer one it is read from the store. */
const PART_PAUSE_MS = 15 * MINUTE_MS;
/** The week before is asked again after so long. */
const WEEKLY_MS = 15 * MINUTE_MS;
/** Incidents of one workgroup that are counted each minute. */
const COUNTED = 200;
/** What a plant makes of the light in its plane. Source: usual performance ratio. */
const USUAL_RATIO = 0.84;

export interface EnergyParts {
  incidents: Incidents;
  roles: Pick<FieldRoles, 'inRollout'>;
  registry: DeviceRegistry;
  telemetry: Telemetry;
}

/**
 * Adds up what open incidents cost: what an inverter gives less than the median of its peers, or than the light allows,
 * and of a device that is away what it gave in the same hours a week before. What stands under its cause counts there.
 */
export async function countEnergy(parts: EnergyParts, workgroup: string, now: number): Promise<void> {
  const rows = parts.incidents
    .openIn(workgroup)
    .filter((row) => row.device !== null && row.causedBy === null && costs(row))
    // Those that were counted longest ago first, so that each has its turn.
    .sort((a, b) => (a.energy?.at ?? 0) - (b.energy?.at ?? 0))
    .slice(0, COUNTED);
  if (rows.length === 0) return;
  const latest = await parts.roles.inRollout(workgroup);
  const byDevice = Map.groupBy(latest, ({ device }) => device);
  for (const row of rows) {
    const sources = byDevice.get(row.device ?? '') ?? [];
    const info = parts.registry.known(row.device ?? '')?.info ?? {};
    const missing = row.finding === 'below' ? row.reading.value : null;
    const energy =
      row.kind === 'offline'
        ? await ofLastWeek(parts, row, sources, now)
        : typeof missing === 'number' && missing < 100
          ? await ofPart(parts, row, sources, missing / 100, now)
          : ofPeers(row, sources, readSite(info).ratedPowerW, now);
    if (energy)
      await parts.incidents.setEnergy(workgroup, row.id, {
        ...energy,
        money: moneyOf(energy.energyWh, info),
      });
  }
}

const costs = ({ kind, condition }: IncidentRow): boolean =>
  condition !== 'clear' &&
  condition !== 'failed' &&
  kind !== 'event' &&
  kind !== 'network' &&
  kind !== 'control' &&
  kind !== 'stuck';

type Energy = Omit<EnergyAtRisk, 'money'>;

function ofPeers(
  row: IncidentRow,
  sources: readonly RoledLatest[],
  ratedPowerW: number | null,
  now: number,
): Energy | null {
  const reading = readPlant(sources, { now, ratedPowerW });
  const own = reading.inverters.find(({ source }) => source === row.source);
  if (!own) return null;
  const lost = lostW(own.power.value ?? 0, own.source, reading, ratedPowerW);
  if (!lost) return null;
  const before = row.energy?.basis === 'lastWeek' ? null : row.energy;
  const spanMs = before ? Math.min(PAUSE_MS, now - before.at) : Math.min(FIRST_MS, now - row.since.getTime());
  const energyWh = (before?.energyWh ?? 0) + (lost.powerW * Math.max(0, spanMs)) / HOUR_MS;
  return { energyWh, powerW: lost.powerW, basis: lost.basis, at: now };
}

/**
 * For a loss given as a part of the expected: that part of the energy since the day on which it began. For a plant as a whole
 * it counts for all inverters. Events arrive late, so everything is counted again once an hour.
 */
async function ofPart(
  { telemetry }: EnergyParts,
  row: IncidentRow,
  sources: readonly RoledLatest[],
  part: number,
  now: number,
): Promise<Energy | null> {
  const inverters = sources.filter(
    (inverter) =>
      isInverter(inverter) &&
      inverter.places.acPower &&
      (row.source === null || inverter.source === row.source),
  );
  if (inverters.length === 0) return null;
  const { power } = readPlant(inverters, { now, ratedPowerW: null });
  const ofGiven = part / (1 - part);
  const before = row.energy?.basis === 'lastWeek' ? null : row.energy;
  const powerW = Math.max(0, power.value ?? 0) * ofGiven;
  const isWhole = before === null || isRecounted(row, before.at, now);
  if (before && !isWhole && now - before.at <= PART_PAUSE_MS)
    return { ...before, energyWh: before.energyWh + (powerW * (now - before.at)) / HOUR_MS, powerW, at: now };
  const from = Math.max(isWhole ? row.since.getTime() : before.at, now - PART_MS);
  const points = await telemetry.asSystem('alerts', row.workgroup).buckets({
    ...{ from, to: now, stepMs: HOUR_MS },
    series: inverters.map(({ device, table, source, places }) => ({
      ...{ device, table, source },
      field: places.acPower?.field ?? '',
    })),
  });
  let givenWh = 0;
  for (const [i, { times, avg, stepMs }] of points.entries()) {
    const { factor, offset } = inverters[i]?.places.acPower ?? { factor: 1, offset: 0 };
    for (const [k, value] of avg.entries()) {
      const begin = Math.max(from, times[k] ?? from);
      const end = Math.min(now, (times[k] ?? from) + stepMs);
      if (value !== null && end > begin)
        givenWh += (Math.max(0, value * factor + offset) * (end - begin)) / HOUR_MS;
    }
  }
  const keptWh = isWhole ? 0 : before.energyWh;
  return { energyWh: keptWh + givenWh * ofGiven, powerW, basis: 'peers', at: now };
}

/** Each incident has its own minute of the hour. One that is older than can be counted keeps its value. */
function isRecounted({ id, since }: IncidentRow, at: number, now: number): boolean {
  const shiftMs = Number.parseInt(id.slice(0, 8), 16) % HOUR_MS;
  const hourOf = (instant: number) => Math.floor((instant + shiftMs) / HOUR_MS);
  return since.getTime() >= now - PART_MS && hourOf(at) !== hourOf(now);
}

/** What is missing now, W; null where there is nothing to go by. */
function lostW(
  ownW: number,
  source: string,
  { inverters, poa, ghi }: PlantReading,
  ratedPowerW: number | null,
): (Pick<Energy, 'basis'> & { powerW: number }) | null {
  const peers = inverters.flatMap((one) =>
    one.source !== source && one.state === 'producing' && one.power.value !== null ? [one.power.value] : [],
  );
  const median = peers.sort((a, b) => a - b)[Math.floor(peers.length / 2)];
  if (median !== undefined) return { powerW: Math.max(0, median - ownW), basis: 'peers' };
  const lightWm2 = poa.value ?? ghi.value;
  if (lightWm2 === null || ratedPowerW === null || inverters.length === 0) return null;
  const expectedW = (ratedPowerW / inverters.length) * (lightWm2 / 1000) * USUAL_RATIO;
  return { powerW: Math.max(0, expectedW - ownW), basis: 'irradiance' };
}

async function ofLastWeek(
  { telemetry }: EnergyParts,
  row: IncidentRow,
  sources: readonly RoledLatest[],
  now: number,
): Promise<Energy | null> {
  if (row.energy && now - row.energy.at < WEEKLY_MS) return null;
  const inverters = sources.filter((one) => isInverter(one) && one.places.acPower);
  if (inverters.length === 0) return null;
  const stepMs = 15 * MINUTE_MS;
  const before = row.energy?.basis === 'lastWeek' ? row.energy : null;
  const since = before?.at ?? Math.max(row.since.getTime(), now - WEEK_MS);
  // The last week in which it was still there.
  const backMs = Math.max(1, Math.ceil((now - row.since.getTime()) / WEEK_MS)) * WEEK_MS;
  const [from, to] = [since - backMs, Math.max(now - backMs, since - backMs + stepMs)];
  const points = await telemetry.asSystem('alerts', row.workgroup).buckets({
    from,
    to,
    stepMs,
    series: inverters.map(({ device, table, source, places }) => ({
      device,
      table,
      source,
      field: places.acPower?.field ?? '',
    })),
  });
  let energyWh = before?.energyWh ?? 0;
  let powerW = 0;
  for (const [i, { avg }] of points.entries()) {
    const place = inverters[i]?.places.acPower ?? { factor: 1, offset: 0 };
    const watts = avg.flatMap((value) => (value === null ? [] : [value * place.factor + place.offset]));
    if (watts.length === 0) continue;
    // The mean over the time, so that steps at its ends do not count twice.
    const meanW = watts.reduce((sum, one) => sum + one, 0) / watts.length;
    energyWh += (meanW * (to - from)) / HOUR_MS;
    powerW += watts.at(-1) ?? 0;
  }
  return { energyWh: Math.max(0, energyWh), powerW: Math.max(0, powerW), basis: 'lastWeek', at: now };
}

/** Name of the general information in which a price stands, such as `0.08 EUR` for a kWh. */
const PRICE = /^energy\s*price$/i;

function moneyOf(energyWh: number, info: Readonly<Record<string, string>>): EnergyAtRisk['money'] {
  const [, text = ''] = Object.entries(info).find(([name]) => PRICE.test(name.trim())) ?? [];
  const [, digits, currency] = /^\s*(\d+(?:[.,]\d+)?)\s*([A-Z]{3})(?:\s*\/\s*kWh)?\s*$/.exec(text) ?? [];
  if (!digits || !currency) return null;
  return { value: (energyWh / 1000) * Number(digits.replace(',', '.')), currency };
}
