import { deviceCommandsApi } from '@albedo/contract/device-commands/device-commands.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Requests } from '../live-feeds/live-feeds.service.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import { DeviceCommands } from './device-commands.service.ts';
import { DeviceCommandsStore } from './device-commands.store.ts';
import { deviceCommandsPart } from './device-commands.tables.ts';

/** Saved commands, run on one device or on many. */
export function openDeviceCommands(of: {
  postgres: Postgres;
  accessControl: AccessControl;
  requests: Requests;
  longActions: LongActions;
  health: Health;
  audit: Audit;
}): Feature<DeviceCommands> {
  const { postgres, health, longActions } = of;
  const commands = new DeviceCommands({
    ...of,
    store: new DeviceCommandsStore(postgres),
    isOnline: (device) => health.of(device).online,
  });
  longActions.add(commands.kind);
  return {
    name: 'device-commands',
    service: commands,
    workgroupPart: { tables: deviceCommandsPart },
    routes: (app) =>
      bind(app, deviceCommandsApi, {
        all: (call) => commands.list(callerOf(call)),
        list: (call) => commands.list(callerOf(call), call.params.device),
        add: (call) =>
          commands.add(
            { workgroup: call.workgroup, device: call.params.device },
            call.body,
            managerOf(call),
            call.scope,
          ),
        update: (call) => {
          const { device, command } = call.params;
          return commands.update(
            { workgroup: call.workgroup, device, command },
            call.body,
            managerOf(call),
            call.scope,
          );
        },
        remove: async (call) => {
          const { device, command } = call.params;
          await commands.remove({ workgroup: call.workgroup, device, command }, managerOf(call), call.scope);
          return {};
        },
        run: (call) =>
          commands.run(
            { workgroup: call.workgroup, command: call.params.command },
            call.body,
            managerOf(call),
            call.scope,
          ),
        outcome: ({ workgroup, params, scope }) => commands.outcomes(workgroup, params.run, scope),
      }),
  };
}
