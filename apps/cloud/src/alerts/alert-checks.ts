import type { NewAlert, NewSuppression } from '@albedo/contract/alerts/alerts.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { invalid } from '../errors/request-issues.ts';
import { severitiesOf } from '../incidents/incidents.service.ts';
import { isRepetition } from './suppression-times.ts';

/** What an alert may name. */
export interface Known {
  settings: Readonly<Record<string, unknown>>;
  /** Whether the workgroup has this device. */
  hasDevice: (id: string) => boolean;
  /** Whether some source has this label. */
  hasSourceWith: (label: string) => boolean;
  entities: ReadonlyMap<string, Entity>;
  /** Ids of the members. */
  members: ReadonlySet<string>;
}

/** Throws `request.invalid` with the part that names what is not there. */
export function checkAlert(alert: NewAlert, known: Known): void {
  const severities = severitiesOf(known.settings);
  if (!severities.has(alert.severity))
    throw invalid(
      'issue.alert_severity',
      { id: alert.severity, choices: [...severities.keys()].join(', ') },
      'severity',
    );
  const categories = known.settings.categories as string[] | undefined;
  if (alert.category !== null && !(categories ?? []).includes(alert.category))
    throw invalid('issue.alert_category', { name: alert.category }, 'category');
  if (alert.table !== null && CLOUD_TABLES.has(alert.table)) throw invalid('issue.alert_table', {}, 'table');
  checkScope(alert.scope, known);
  for (const [i, user] of alert.notify.users.entries())
    if (!known.members.has(user)) throw invalid('issue.alert_user', {}, `notify.users.${i}`);
}

export function checkSuppression(suppression: NewSuppression, known: Known): void {
  checkScope(suppression.scope, known);
  if (!isRepetition(suppression))
    throw invalid('issue.suppression_rule', {}, suppression.rrule === null ? 'startsAt' : 'rrule');
}

function checkScope(scope: NewAlert['scope'], { hasDevice, hasSourceWith, entities }: Known): void {
  if (scope.kind === 'devices')
    for (const [i, id] of scope.devices.entries())
      if (!hasDevice(id)) throw invalid('issue.device_unknown', { id }, `scope.devices.${i}`);
  if (scope.kind === 'sources')
    for (const [i, { device: id }] of scope.sources.entries())
      if (!hasDevice(id)) throw invalid('issue.device_unknown', { id }, `scope.sources.${i}.device`);
  if (scope.kind === 'entities')
    for (const [i, id] of scope.entities.entries())
      if (!entities.has(id)) throw invalid('issue.entity_unknown', { id }, `scope.entities.${i}`);
  if (
    scope.kind === 'label' &&
    !hasSourceWith(scope.label) &&
    ![...entities.values()].some(({ labels }) => labels.includes(scope.label))
  )
    throw invalid('issue.alert_label', { name: scope.label }, 'scope.label');
}
