import { trendsApi } from '@albedo/contract/trends/trends.api';
import { callerOf } from '../access/caller.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { Trends } from './trends.service.ts';

/** What a list draws of each device: its last day at a glance. */
export function openTrends(of: { telemetry: Telemetry; roles: FieldRoles }): Feature<Trends> {
  const trends = new Trends(of);
  return {
    name: 'trends',
    service: trends,
    routes: (app) =>
      bind(app, trendsApi, {
        list: (call) => trends.list(callerOf(call), call.body.devices, call.signal),
      }),
  };
}
