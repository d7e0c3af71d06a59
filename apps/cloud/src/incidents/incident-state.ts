import { SEVERITIES } from '@albedo/contract/alerts/severities';
import type { Incident, IncidentState } from '@albedo/contract/incidents/incidents.schema';
import type { incidents } from './incidents.tables.ts';
import type { WholeIncident } from './steps.topics.ts';

export type IncidentRow = typeof incidents.$inferSelect;

/** The state of ISA-18.2, from what is kept. `now`: epoch ms. */
export function stateOf(row: IncidentRow, now: number): IncidentState {
  if (row.closedAt) return 'closed';
  if (row.silenced === 'outOfService') return 'outOfService';
  if (row.silenced === 'design' || row.causedBy !== null) return 'suppressed';
  if (row.shelvedUntil && row.shelvedUntil.getTime() > now) return 'shelved';
  const isAcknowledged = row.acknowledged.length > 0;
  if (row.condition === 'clear' && !isAcknowledged) return row.isLatched ? 'latched' : 'returned';
  return isAcknowledged ? 'acknowledged' : 'unacknowledged';
}

/** Nobody is to hear of it. */
export const isSilent = (state: IncidentState): boolean =>
  state === 'shelved' || state === 'suppressed' || state === 'outOfService';

export type Severity = Incident['severity'];

/** The severities of a workgroup by id, those that it set or the usual ones. */
export function severitiesOf(settings: Readonly<Record<string, unknown>>): ReadonlyMap<string, Severity> {
  const set = settings.severity as { id: string; name: string; color: string }[] | undefined;
  const all = set && set.length > 0 ? set : SEVERITIES;
  return new Map(all.map((one, rank) => [one.id, { ...one, rank }]));
}

/** One that the workgroup has no more is the least. */
const severityIn = (severities: ReadonlyMap<string, Severity>, id: string): Severity =>
  severities.get(id) ?? { id, name: id, color: 'gray', rank: severities.size };

const msOf = (date: Date | null): number | null => date?.getTime() ?? null;

export function incidentOf(
  row: IncidentRow,
  {
    severities,
    deviceName,
    now,
  }: { severities: ReadonlyMap<string, Severity>; deviceName: string | null; now: number },
): WholeIncident {
  return {
    _id: row.id,
    workgroupId: row.workgroup,
    createdAt: row.createdAt.getTime(),
    acknowledged: row.acknowledged.map(({ user }) => user),
    alert: row.alert,
    name: row.name,
    kind: row.kind,
    finding: row.finding,
    severity: severityIn(severities, row.severity),
    category: row.category,
    device: row.device,
    deviceName,
    table: row.table,
    source: row.source,
    subject: row.subject,
    state: stateOf(row, now),
    condition: row.condition,
    since: row.since.getTime(),
    changedAt: row.changedAt.getTime(),
    clearedAt: msOf(row.clearedAt),
    closedAt: msOf(row.closedAt),
    closeReason: row.closeReason,
    acknowledgedAt: row.acknowledged[0]?.at ?? null,
    acknowledgedBy: row.acknowledged.map(({ name }) => name),
    shelvedUntil: msOf(row.shelvedUntil),
    shelvedReason: row.shelvedReason,
    count: row.count,
    causedBy: row.causedBy,
    reading: row.reading,
    energy: row.energy && (isLosing(row) ? row.energy : { ...row.energy, powerW: null }),
  };
}

/** An incident that is over, or cannot be judged, loses nothing more. */
const isLosing = ({ condition, closedAt }: IncidentRow): boolean =>
  closedAt === null && condition !== 'clear' && condition !== 'failed';
