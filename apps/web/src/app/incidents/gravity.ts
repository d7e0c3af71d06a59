import type { Incident, IncidentState } from '@albedo/contract/incidents/incidents.schema';
import { lossesOf } from '@albedo/contract/incidents/losses';
import type { Money } from '../../ui/units/money.ts';

/** The gravest first; among equals the costliest, then the newest. The server sorts them the same way. */
export const byGravity = (a: Incident, b: Incident): number =>
  a.severity.rank - b.severity.rank ||
  (b.energy?.energyWh ?? 0) - (a.energy?.energyWh ?? 0) ||
  b.createdAt - a.createdAt;

const WAITING: readonly IncidentState[] = ['unacknowledged', 'returned', 'latched'];
const SILENT: readonly IncidentState[] = ['shelved', 'suppressed', 'outOfService', 'closed'];

/** Nobody has acknowledged it. Consequences are told with their cause. */
export const isUnanswered = ({ state, causedBy }: Incident): boolean =>
  causedBy === null && WAITING.includes(state);

/** It calls for attention: it is neither silenced nor told with its cause. */
export const isTold = ({ state, causedBy }: Incident): boolean =>
  causedBy === null && !SILENT.includes(state);

/** What can still be acknowledged, whoever did so before. */
export const canAcknowledge = ({ state }: Incident): boolean =>
  WAITING.includes(state) || state === 'acknowledged';

/** What incidents cost. */
export interface Risk {
  /** Power lost now, W, and energy lost so far, Wh; null if unknown. */
  powerW: number | null;
  energyWh: number | null;
  /** One entry for each currency; empty without a price. */
  money: readonly Money[];
  /** The number of incidents whose cost nobody knows. */
  unknown: number;
}

/** The total cost of incidents. A consequence is not counted again beside its cause. */
export function riskOf(incidents: readonly Incident[]): Risk {
  const own = incidents.filter(({ causedBy }) => causedBy === null);
  let [powerW, energyWh]: [number | null, number | null] = [null, null];
  const sums = new Map<string, number>();
  for (const loss of lossesOf(own)) {
    energyWh = (energyWh ?? 0) + loss.energyWh;
    if (loss.powerW !== null) powerW = (powerW ?? 0) + loss.powerW;
    if (loss.money) sums.set(loss.money.currency, (sums.get(loss.money.currency) ?? 0) + loss.money.value);
  }
  const money = [...sums].map(([currency, value]) => ({ currency, value }));
  return { powerW, energyWh, money, unknown: own.filter(({ energy }) => !energy).length };
}

export interface SeverityCount {
  severity: Incident['severity'];
  count: number;
}

/** How many of each severity, the gravest first; those without any are left out. */
export function countBySeverity(incidents: readonly Incident[]): SeverityCount[] {
  const counts = new Map<string, SeverityCount>();
  for (const { severity } of incidents) {
    const known = counts.get(severity.id);
    if (known) known.count += 1;
    else counts.set(severity.id, { severity, count: 1 });
  }
  return [...counts.values()].toSorted((a, b) => a.severity.rank - b.severity.rank);
}

/** Incidents with their consequences; one whose cause is not among them stands alone. */
export interface Family {
  cause: Incident;
  consequences: readonly Incident[];
}

/** The incidents as they stand below each other: consequences with their cause. The order stays. */
export function familiesOf(incidents: readonly Incident[]): Family[] {
  const known = new Map(incidents.map((one) => [one._id, one]));
  const below = new Map<string, Incident[]>();
  const tops: Incident[] = [];
  for (const one of incidents) {
    const top = topOf(one, known);
    if (top === one) tops.push(one);
    else below.set(top._id, [...(below.get(top._id) ?? []), one]);
  }
  return tops.map((cause) => ({ cause, consequences: below.get(cause._id) ?? [] }));
}

/** The first cause of all. A link that leads in a circle ends it. */
function topOf(incident: Incident, known: ReadonlyMap<string, Incident>): Incident {
  const seen = new Set([incident._id]);
  let top = incident;
  for (;;) {
    const cause = top.causedBy === null ? undefined : known.get(top.causedBy);
    if (!cause || seen.has(cause._id)) return top;
    seen.add(cause._id);
    top = cause;
  }
}
