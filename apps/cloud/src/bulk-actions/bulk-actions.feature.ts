import { bulkActionsApi } from '@albedo/contract/bulk-actions/bulk-actions.api';
import type { BulkWork } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import type { DeviceScope } from '../access/device-scope.ts';
import { managerOf } from '../access/manager.ts';
import { hear } from '../bus/bus.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Health } from '../health/health.service.ts';
import { deviceStateChanged } from '../health/health.topics.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { BulkActions } from './bulk-actions.service.ts';
import { BulkActionsStore } from './bulk-actions.store.ts';
import { bulkActionsPart } from './bulk-actions.tables.ts';
import { type BulkKindsOptions, bulkKinds } from './bulk-kinds.ts';
import { devicesCsv, importDevices } from './device-csv.ts';
import { fleetPowers } from './fleet-powers.ts';

/** One thing for many devices: upgrades, commands, configuration, metadata, groups, plugins, certificates. */
export function openBulkActions(
  of: BulkKindsOptions & {
    postgres: Postgres;
    jobs: Jobs;
    registry: DeviceRegistry;
    health: Health;
    telemetry: Telemetry;
    roles: FieldRoles;
  },
): Feature<BulkActions> {
  const { postgres, registry, health } = of;
  const bulk = new BulkActions({
    ...of,
    store: new BulkActionsStore(postgres),
    kinds: bulkKinds(of),
    devicesOf: (workgroup) => registry.inWorkgroup(workgroup).map(({ id }) => id),
    factsOf: (device) => health.of(device),
    powers: (workgroup, span) => fleetPowers(of, workgroup, span),
  });
  type Call = Parameters<typeof managerOf>[0] & { signal: AbortSignal; scope: DeviceScope };
  type Order = Omit<Parameters<typeof bulk.begin>[2], 'scope'>;
  const at = (call: Call & { params: { bulkAction: string } }) => ({
    workgroup: call.workgroup,
    id: call.params.bulkAction,
    scope: call.scope,
  });
  const begin = (call: Call, { devices, plan, isDryRun }: Order, work: BulkWork) =>
    bulk.begin(
      call.workgroup,
      work,
      { devices, plan, isDryRun, scope: call.scope },
      managerOf(call),
      call.signal,
    );
  return {
    name: 'bulk-actions',
    service: bulk,
    workgroupPart: { tables: bulkActionsPart },
    hears: [
      hear(deviceStateChanged, ({ deviceId, online }) =>
        online ? bulk.deviceCame(deviceId) : Promise.resolve(),
      ),
    ],
    jobs: (jobs) => {
      jobs.add(bulk.stepping);
      jobs.add(bulk.working);
      jobs.add(bulk.looking);
    },
    routes: (app) =>
      bind(app, bulkActionsApi, {
        list: ({ workgroup, scope }) => bulk.list(workgroup, scope),
        get: ({ workgroup, params, scope }) => bulk.get(workgroup, params.bulkAction, scope),
        upgrade: (call) => begin(call, call.body, { kind: 'upgrade' }),
        command: (call) => {
          const { command, values } = call.body;
          return begin(call, call.body, { kind: 'command', command, values });
        },
        config: (call) => begin(call, call.body, { kind: 'config', part: call.body.part }),
        labels: (call) => begin(call, call.body, { kind: 'labels', labels: call.body.labels }),
        groups: (call) => {
          const { group, isIn } = call.body;
          return begin(call, call.body, { kind: 'groups', group, isIn });
        },
        plugins: (call) => {
          const { plugin, version, isInstalled } = call.body;
          return begin(call, call.body, { kind: 'plugins', plugin, version, isInstalled });
        },
        certificates: (call) => {
          const { endsWithinDays } = call.body;
          return begin(call, call.body, { kind: 'certificates', endsWithinDays });
        },
        exportDevices: ({ workgroup, scope, reply }) => {
          reply
            .type('text/csv; charset=utf-8')
            .header('content-disposition', 'attachment; filename="devices.csv"');
          return Buffer.from(devicesCsv(of, workgroup, scope));
        },
        importDevices: (call) => importDevices(of, call.workgroup, call.body, managerOf(call)),
        pause: (call) => bulk.pause(at(call), managerOf(call)),
        resume: (call) => bulk.resume(at(call), managerOf(call)),
        cancel: (call) => bulk.cancel(at(call), managerOf(call)),
      }),
  };
}
