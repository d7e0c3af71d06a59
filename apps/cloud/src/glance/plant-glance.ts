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

/** Below this it counts as dark, W/m². */
const DARK_WM2 = 20;
/** A day gets a ratio once its light would give this many hours at full power. */
const LEAST_HOURS = 0.4;
/** From this ratio on a plant does as expected; sensors and models are no more exact. */
const AS_EXPECTED = 0.97;

/** The energy of a plant on a day, if it is known. */
export interface PlantDay {
  day: string;
  isToday: boolean;
  energy: DayOfDevice | undefined;
}

export interface PlantFacts {
  /** Newest first. */
  days: readonly PlantDay[];
  /** Whether the workgroup computes daily energy at all. */
  areCounted: boolean;
  /** Its open incidents. */
  incidents: readonly Incident[];
}

/** How a plant is doing, from its newest values, its daily energy and its open incidents. */
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

/** The newest day with enough light for a ratio, or else the newest day that is known. */
function energyOf(days: readonly PlantDay[]): GlanceEnergy | null {
  const counted = days.filter(({ energy }) => energy !== undefined);
  const shown = counted.find(carries) ?? counted[0];
  if (!shown?.energy) return null;
  const { energyKWh, expectedKWh, ratio, reason, counted: inverters, all, computedAt } = shown.energy;
  const isCarried = carries(shown);
  return {
    ...{ day: shown.day, isToday: shown.isToday, energyKWh, expectedKWh },
    paired: pairedOf(shown),
    ratio: isCarried ? ratio : null,
    reason: isCarried || ratio === null ? reason : 'tooLittleLight',
    inverters: { counted: inverters, all },
    computedAt,
  };
}

function todayOf(days: readonly PlantDay[]): PlantGlance['today'] {
  const today = days.find(({ isToday }) => isToday);
  if (!today?.energy) return null;
  const { energyKWh, expectedKWh } = today.energy;
  return { energyKWh, expectedKWh, paired: pairedOf(today) };
}

const carries = ({ energy }: PlantDay): boolean =>
  energy?.ratio != null &&
  energy.peakKWp !== null &&
  (energy.pairedExpectedKWh ?? 0) >= energy.peakKWp * LEAST_HOURS;

/** The two energies behind the ratio of a day, if it has one. */
const pairedOf = (day: PlantDay): GlanceEnergy['paired'] =>
  carries(day)
    ? { energyKWh: day.energy?.pairedKWh ?? 0, expectedKWh: day.energy?.pairedExpectedKWh ?? 0 }
    : null;

const SILENT: readonly IncidentState[] = ['shelved', 'suppressed', 'outOfService', 'closed'];

/** Whether an incident needs attention: it is not silenced and not the consequence of another one. */
export const isTold = ({ state, causedBy }: Incident): boolean =>
  causedBy === null && !SILENT.includes(state);

/** Incidents first, in their order, then findings without an incident. */
function causesOf(findings: readonly PlantFinding[], incidents: readonly Incident[]): GlanceCause[] {
  const open = incidents.filter((incident) => isTold(incident) && incident.condition !== 'clear');
  return [
    ...open.map((incident) => ofIncident(incident, findings)),
    ...findings.filter((finding) => !isCovered(finding, incidents)).map(ofFinding),
  ];
}

function ofIncident(incident: Incident, findings: readonly PlantFinding[]): GlanceCause {
  const { _id, kind, finding: what, source, subject, since } = incident;
  const match = findings.find((finding) => finding.source === source && finding.kind === what);
  const shared = { subject, incident: _id };
  if (kind === 'finding' && match) return { ...ofFinding(match), since: match.since ?? since, ...shared };
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

/** Whether an incident, even a silenced one, is about this finding. */
const isCovered = ({ kind, source }: PlantFinding, incidents: readonly Incident[]): boolean =>
  incidents.some((incident) => {
    if (incident.kind === 'offline') return kind === 'silent';
    if (incident.source !== source) return false;
    if (incident.kind === 'finding') return incident.finding === kind;
    return incident.kind === 'absent' && kind === 'silent';
  });

/** Counts each loss once: consequences of another incident are left out. */
function costOf(incidents: readonly Incident[]): GlanceCost | null {
  const costly = lossesOf(incidents.filter(isTold));
  if (costly.length === 0) return null;
  const rates = costly.flatMap(({ powerW }) => powerW ?? []);
  const money = new Map<string, number>();
  for (const { money: loss } of costly)
    if (loss) money.set(loss.currency, (money.get(loss.currency) ?? 0) + loss.value);
  return {
    energyWh: costly.reduce((sum, { energyWh }) => sum + energyWh, 0),
    powerW: rates.length === 0 ? null : rates.reduce((sum, powerW) => sum + powerW, 0),
    money: [...money].map(([currency, value]) => ({ value, currency })),
  };
}

/** Silent plants first, then the lowest ratio; plants without a verdict last. */
export const byNeed = (a: PlantGlance, b: PlantGlance): number =>
  needOf(a) - needOf(b) || a.name.localeCompare(b.name);

/** Higher than any ratio. */
const LAST = 1000;

/** The state decides first: a plant that is `under` comes before one that is `well`, whatever its ratio. */
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
