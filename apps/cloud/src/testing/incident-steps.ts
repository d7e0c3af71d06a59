import { randomUUID } from 'node:crypto';
import { SEVERITIES } from '@albedo/contract/alerts/severities';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import type { IncidentStep, WholeIncident } from '../incidents/steps.topics.ts';

type Notify = NonNullable<IncidentStep['alert']>['notify'];

const QUIET_NOTIFY: Notify = {
  users: [],
  emails: [],
  channels: [],
  escalation: null,
  onResolve: true,
  repeatHours: null,
};

/** An incident of the workgroup `main` that has just opened. */
export function buildIncident(given: Partial<WholeIncident> = {}, rank = 0): WholeIncident {
  const severity = SEVERITIES[rank] ?? SEVERITIES[0];
  const now = Date.now();
  return {
    _id: randomUUID(),
    workgroupId: 'main',
    createdAt: now,
    acknowledged: [],
    alert: '0d1c2a4e-7f3b-4b52-9a57-2a4c1f6e8d90',
    name: 'Inverter gives nothing',
    kind: 'query',
    finding: null,
    severity: { ...severity, rank },
    category: null,
    device: null,
    deviceName: null,
    table: null,
    source: null,
    subject: 'Roof',
    state: 'unacknowledged',
    condition: 'active',
    since: now,
    changedAt: now,
    clearedAt: null,
    closedAt: null,
    closeReason: null,
    acknowledgedAt: null,
    acknowledgedBy: [],
    shelvedUntil: null,
    shelvedReason: null,
    count: 1,
    causedBy: null,
    reading: { field: 'AC Power', value: 3, units: 'W', limit: 10 },
    energy: null,
    ...given,
  };
}

const AFTER = {
  opened: {},
  reopened: { state: 'unacknowledged', condition: 'active' },
  acknowledged: { state: 'acknowledged' },
  returned: { state: 'returned', condition: 'clear' },
  closed: { state: 'closed', condition: 'clear', closeReason: 'cleared' },
  shelved: { state: 'shelved' },
  unshelved: { state: 'unacknowledged' },
  suppressed: { state: 'suppressed' },
  unknown: { condition: 'unknown' },
} as const satisfies Partial<Record<IncidentStep['action'], Partial<Incident>>>;

/** A step of an incident, with the incident as it is after it. */
export function buildStep(
  incident: WholeIncident,
  action: keyof typeof AFTER = 'opened',
  { notify = {}, ...given }: Partial<Omit<IncidentStep, 'alert'>> & { notify?: Partial<Notify> } = {},
): IncidentStep {
  const at = Date.now();
  const after = { ...incident, ...AFTER[action] };
  return {
    action,
    at,
    by: null,
    value: null,
    text: null,
    workgroup: 'main',
    incident: {
      ...after,
      changedAt: at,
      clearedAt: after.condition === 'clear' ? at : null,
      closedAt: after.state === 'closed' ? at : null,
    },
    alert: {
      name: incident.name,
      notify: { ...QUIET_NOTIFY, ...notify },
      cause: '',
      consequence: '',
      response: 'Look at the DC switch.',
    },
    isSilent: false,
    ...given,
  };
}
