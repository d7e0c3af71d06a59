import type {
  GlanceCause,
  GlanceCost,
  GlanceEnergy,
  PlantGlance,
} from '@albedo/contract/glance/glance.schema';
import type { Incident, IncidentState } from '@albedo/contract/incidents/incidents.schema';
import { lossesOf } from '@albedo/contract/incidents/losses';
import type { PlantFinding, PlantSummary } from '@albedo/contract/plants/plants.schema';
import type { DayOfDevice } from '../energy/energy-reports.service.ts';

/** Below this nothing can be made of the light, W/m². */
const DARK_WM2 = 20;
/** A day carries a ratio once its light would give so much: hours at full power. */
const LEAST_HOURS = 0.4;
/** From this part on a plant gives what the light would give; sensors and models err by as much. */
const AS_EXPECTED = 0.97;

/** What is known of the energy of a plant on a day. */
export interface KnownDay {
  day: string;
  isToday: boolean;
  known: DayOfDevice | undefined;
}

export interface PlantFacts {
  /** Energy of its days, the newest first. */
  days: readonly KnownDay[];
  /** The workgroup has days of energy at all. */
  areCounted: boolean;
  /** Those that are open of it. */
  incidents: readonly Incident[];
}

/** How a plant does, from its newest values, the energy of its days and what is open of it. */
export function plantGlance(plant: PlantSummary, { days, areCounted, incidents }: PlantFacts): PlantGlance {
  const { device, name, zone, power, ratedPowerW, poa, inverters, findings } = plant;
  const causes = causesOf(findings, incidents);
  const energy = energyOf(days);
  const isSilent = power.value === null && power.missing === 'silent';
  const isDark = poa.value === null ? inverters.producing + inverters.troubled === 0 : poa.value < DARK_WM2;
  const isUnder = causes.length > 0 || (energy?.ratio != null && energy.ratio < AS_EXPECTED);
  const state = isSilent
    ? 'silent'
    : isUnder
      ? 'under'
      : energy === null && areCounted
        ? 'arriving'
        : energy === null || energy.ratio === null
          ? 'unknown'
          : 'well';
  return {
    ...{ device, name, zone, state, isDark, power, ratedPowerW, energy, causes },
    today: todayOf(days),
    cost: costOf(incidents),
  };
}

/** Of the newest day that has the light for a ratio, else of the newest that is known at all. */
function energyOf(days: readonly KnownDay[]): GlanceEnergy | null {
  const counted = days.filter(({ known }) => known !== undefined);
  const shown = counted.find(carries) ?? counted[0];
  if (!shown?.known) return null;
  const { energyKWh, expectedKWh, ratio, reason, counted: some, all, computedAt } = shown.known;
  const isCarried = carries(shown);
  return {
    ...{ day: shown.day, isToday: shown.isToday, energyKWh, expectedKWh },
    paired: pairedOf(shown),
    ratio: isCarried ? ratio : null,
    reason: isCarried || ratio === null ? reason : 'tooLittleLight',
    inverters: { counted: some, all },
    computedAt,
  };
}

function todayOf(days: readonly KnownDay[]): PlantGlance['today'] {
  const today = days.find(({ isToday }) => isToday);
  if (!today?.known) return null;
  const { energyKWh, expectedKWh } = today.known;
  return { energyKWh, expectedKWh, paired: pairedOf(today) };
}

const carries = ({ known }: KnownDay): boolean =>
  known?.ratio != null &&
  known.peakKWp !== null &&
  (known.pairedExpectedKWh ?? 0) >= known.peakKWp * LEAST_HOURS;

/** What the ratio of a day is made of, where it carries one. */
const pairedOf = (day: KnownDay): GlanceEnergy['paired'] =>
  carries(day)
    ? { energyKWh: day.known?.pairedKWh ?? 0, expectedKWh: day.known?.pairedExpectedKWh ?? 0 }
    : null;

const SILENT: readonly IncidentState[] = ['shelved', 'suppressed', 'outOfService', 'closed'];

/** It calls for attention: it is neither silenced nor told with its cause. */
export const isTold = ({ state, causedBy }: Incident): boolean =>
  causedBy === null && !SILENT.includes(state);

/** What incidents tell first, in their order; then what no incident tells. */
function causesOf(findings: readonly PlantFinding[], incidents: readonly Incident[]): GlanceCause[] {
  const told = incidents.filter((one) => isTold(one) && one.condition !== 'clear');
  return [
    ...told.map((one) => ofIncident(one, findings)),
    ...findings.filter((one) => !isCovered(one, incidents)).map((one) => ofFinding(one)),
  ];
}

function ofIncident(incident: Incident, findings: readonly PlantFinding[]): GlanceCause {
  const { _id, kind, finding: what, source, subject, since } = incident;
  const own = findings.find((one) => one.source === source && one.kind === what);
  const shared = { subject, incident: _id };
  if (kind === 'finding' && own) return { ...ofFinding(own), since: own.since ?? since, ...shared };
  const isOffline = kind === 'offline' || kind === 'absent';
  return {
    ...shared,
    kind: kind === 'finding' ? (what as PlantFinding['kind']) : isOffline ? 'offline' : 'incident',
    ...{ source, since, input: null },
    percent: what === 'below' && typeof incident.reading.value === 'number' ? incident.reading.value : null,
  };
}

function ofFinding({ kind, source, since, percent, input }: PlantFinding): GlanceCause {
  const shared = { source, since, subject: null, incident: null };
  return input
    ? { ...shared, kind: 'string', percent: input.percent, input: input.name }
    : { ...shared, kind, percent, input: null };
}

/** An incident tells of it already, or somebody silenced it. */
const isCovered = ({ kind, source }: PlantFinding, incidents: readonly Incident[]): boolean =>
  incidents.some((one) => {
    if (one.kind === 'offline') return kind === 'silent';
    if (one.source !== source) return false;
    return one.kind === 'finding' ? one.finding === kind : one.kind === 'absent' && kind === 'silent';
  });

/** Each loss once. Consequences lose what their cause does. */
function costOf(incidents: readonly Incident[]): GlanceCost | null {
  const costly = lossesOf(incidents.filter(isTold));
  if (costly.length === 0) return null;
  const rates = costly.flatMap(({ powerW }) => powerW ?? []);
  const money = new Map<string, number>();
  for (const { money: one } of costly)
    if (one) money.set(one.currency, (money.get(one.currency) ?? 0) + one.value);
  return {
    energyWh: costly.reduce((sum, { energyWh }) => sum + energyWh, 0),
    powerW: rates.length === 0 ? null : rates.reduce((sum, one) => sum + one, 0),
    money: [...money].map(([currency, value]) => ({ value, currency })),
  };
}

/** Silent ones first, then those that give the least of what they could; those that cannot be told last. */
export const byNeed = (a: PlantGlance, b: PlantGlance): number =>
  needOf(a) - needOf(b) || a.name.localeCompare(b.name);

/** Above every ratio that there is. */
const LAST = 1000;

/** By state first: what is under never stands below what is well, whatever its ratio. */
const needOf = ({ state, energy, causes }: PlantGlance): number => {
  const isGrave = causes.some(({ kind }) => kind === 'standing' || kind === 'fault' || kind === 'offline');
  switch (state) {
    case 'silent':
      return -1;
    case 'under':
      return Math.min(0.99, Math.max(0, (energy?.ratio ?? 0.9) - (isGrave ? 0.5 : 0)));
    case 'well':
      return 1 + (energy?.ratio ?? 1);
    case 'arriving':
      return LAST;
    default:
      return LAST + 1;
  }
};
