import { alertsApi } from '@albedo/contract/alerts/alerts.api';
import type {
  Alert,
  AlertTestResult,
  NewAlert,
  NewSuppression,
  Suppression,
} from '@albedo/contract/alerts/alerts.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { useIsUnbound, usePermission } from '../../app/permissions.ts';
import { queryClient } from '../../app/query-client.ts';
import { newestIn } from '../../app/versions/newest.ts';

followList('alerts', ['alerts']);
followList('suppressions', ['suppressions']);

export { definitionOf } from './definition.ts';
export { useSeverities } from './severities.ts';

const FRESH_MS = 5 * 60_000;
/** A test on a year of history reads a year; ms. */
const TEST_MS = 120_000;

const keys = {
  alerts: (wg: string) => ['alerts', wg] as const,
  suppressions: (wg: string) => ['suppressions', wg] as const,
};

/** The alerts of the workgroup, by name. */
export const alertsQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.alerts(wg),
    queryFn: ({ signal }) => call(alertsApi.list, { params: { wg } }, signal),
    staleTime: FRESH_MS,
    refetchInterval: unlessTold(FRESH_MS),
  });

/** Planned times in which alerts stay silent, by name. */
export const suppressionsQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.suppressions(wg),
    queryFn: ({ signal }) => call(alertsApi.suppressions, { params: { wg } }, signal),
    // One of them begins or ends.
    refetchInterval: 60_000,
  });

/** Whether the user may make and change alerts: members of a device group may not. */
export function useMayEditAlerts(): boolean {
  const isUnbound = useIsUnbound();
  return usePermission('coordinate') && isUnbound;
}

/** An alert as it is now. */
export const newestAlert = (wg: string, id: string): Promise<Alert> =>
  newestIn(queryClient.fetchQuery({ ...alertsQuery(wg), staleTime: 0 }), id);

/** Makes the alert, or with an id puts it in the place of that one; with a version, only over that one. */
export async function saveAlert(
  wg: string,
  saved: Pick<Alert, '_id' | 'version'> | null,
  body: NewAlert,
): Promise<Alert> {
  const alert =
    saved === null
      ? await call(alertsApi.create, { params: { wg }, body })
      : await call(alertsApi.update, {
          params: { wg, alert: saved._id },
          query: { version: saved.version },
          body,
        });
  await queryClient.invalidateQueries({ queryKey: keys.alerts(wg) });
  return alert;
}

/** Its incidents close. */
export async function removeAlert(wg: string, alert: string): Promise<void> {
  await call(alertsApi.remove, { params: { wg, alert } });
  await queryClient.invalidateQueries({ queryKey: keys.alerts(wg) });
  await queryClient.invalidateQueries({ queryKey: ['incidents', wg] });
}

/** What the alert would have made of what is stored; with `against`, beside one that stands. */
export const testAlert = (
  wg: string,
  body: { alert: NewAlert; from: number; to: number; against: string | null },
  signal: AbortSignal,
): Promise<AlertTestResult> => call(alertsApi.test, { params: { wg }, body }, signal, { timeout: TEST_MS });

/** Plans a time, or with an id changes that one. */
export async function saveSuppression(
  wg: string,
  suppression: string | null,
  body: NewSuppression,
): Promise<Suppression> {
  const saved =
    suppression === null
      ? await call(alertsApi.suppress, { params: { wg }, body })
      : await call(alertsApi.changeSuppression, { params: { wg, suppression }, body });
  await queryClient.invalidateQueries({ queryKey: keys.suppressions(wg) });
  return saved;
}

export async function removeSuppression(wg: string, suppression: string): Promise<void> {
  await call(alertsApi.endSuppression, { params: { wg, suppression } });
  await queryClient.invalidateQueries({ queryKey: keys.suppressions(wg) });
}
