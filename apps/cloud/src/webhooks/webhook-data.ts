import type { WebhookEvent } from '@albedo/contract/webhooks/webhooks.names';
import type { IncidentStep } from '../incidents/steps.topics.ts';
import type { Happening } from './webhook-events.service.ts';

const INCIDENT_EVENTS: Partial<Record<IncidentStep['action'], WebhookEvent>> = {
  opened: 'incident.opened',
  reopened: 'incident.reopened',
  acknowledged: 'incident.acknowledged',
  returned: 'incident.cleared',
  closed: 'incident.closed',
};

/** The event that webhooks get for a step of an incident; null for steps without one. */
export function ofIncident(
  { action, at, by, text, incident, alert, isSilent }: IncidentStep,
  publicUrl: string,
): Happening | null {
  const event = INCIDENT_EVENTS[action];
  if (!event) return null;
  const { severity } = incident;
  const data = {
    id: incident._id,
    link: `${publicUrl}/alerts?incident=${incident._id}`,
    alert: { id: incident.alert, name: incident.name, kind: incident.kind },
    severity: { id: severity.id, name: severity.name, rank: severity.rank },
    category: incident.category,
    subject: incident.subject,
    device: incident.device,
    deviceName: incident.deviceName,
    table: incident.table,
    source: incident.source,
    state: incident.state,
    condition: incident.condition,
    since: timeOf(incident.since),
    clearedAt: timeOf(incident.clearedAt),
    closedAt: timeOf(incident.closedAt),
    closeReason: incident.closeReason,
    acknowledgedBy: incident.acknowledgedBy,
    count: incident.count,
    reading: incident.reading,
    response: alert?.response || null,
    by,
    comment: text,
    /** Shelved, suppressed, out of service, or the consequence of another incident: nobody is notified of it. */
    isSilent,
  };
  return { event, at, data };
}

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
