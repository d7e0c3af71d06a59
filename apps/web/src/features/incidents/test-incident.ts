import type { Incident, IncidentDetail } from '@albedo/contract/incidents/incidents.schema';

let made = 0;

const SEVERITIES = {
  high: { id: 'high', name: 'High', color: 'red', rank: 0 },
  medium: { id: 'medium', name: 'Medium', color: 'orange', rank: 1 },
  low: { id: 'low', name: 'Low', color: 'yellow', rank: 2 },
} as const;

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** An incident that nobody acknowledged yet, of an inverter that gives nothing, but for the parts that are given. */
export function buildIncident(
  subject: string,
  {
    severity = 'high',
    ...part
  }: Partial<Omit<Incident, 'severity'>> & { severity?: keyof typeof SEVERITIES } = {},
): Incident {
  const now = Date.now();
  return {
    _id: idOf(++made),
    workgroupId: 'demo',
    createdAt: now - 60_000,
    acknowledged: [],
    alert: idOf(900_001),
    name: 'Inverter gives no power',
    kind: 'finding',
    finding: 'standing',
    severity: SEVERITIES[severity],
    category: null,
    device: idOf(800_001),
    deviceName: 'Hilltop',
    table: 'inverter',
    source: subject,
    subject,
    state: 'unacknowledged',
    condition: 'active',
    since: now - 60_000,
    changedAt: now - 60_000,
    clearedAt: null,
    closedAt: null,
    closeReason: null,
    acknowledgedAt: null,
    acknowledgedBy: [],
    shelvedUntil: null,
    shelvedReason: null,
    count: 1,
    causedBy: null,
    consequences: 0,
    reading: { field: null, value: null, units: null, limit: null },
    energy: null,
    ...part,
  };
}

/** The same with what only the page of one incident shows. */
export const detailOf = (incident: Incident, part: Partial<IncidentDetail> = {}): IncidentDetail => ({
  ...incident,
  cause: 'The DC switch is open.',
  consequence: 'Its strings produce nothing.',
  response: 'Check the DC switch.',
  timeline: [{ at: incident.createdAt, action: 'opened', by: null, value: null, text: null }],
  signal: null,
  ...part,
});
