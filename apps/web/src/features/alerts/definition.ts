import type { Alert, NewAlert } from '@albedo/contract/alerts/alerts.schema';

/** The part of an alert that is written: what the server adds is left out. */
export function definitionOf(alert: Alert): NewAlert {
  const { _id, version, updatedAt, shipped, open, ...definition } = alert;
  return definition as unknown as NewAlert;
}
