import { schedulesApi } from '@albedo/contract/schedules/schedules.api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import { bind } from '../http/bind.ts';
import type { Control, OnDevice } from './control.service.ts';
import { controlBy } from './control-by.ts';
import type { HandOut } from './hand-out.ts';
import type { Rehearsals } from './rehearsals.ts';
import type { Schedules } from './schedules.service.ts';
import type { SetpointDiscovery } from './setpoint-discovery.ts';

export interface ScheduleServices {
  schedules: Schedules;
  control: Control;
  handOut: HandOut;
  rehearsals: Rehearsals;
  discovery: SetpointDiscovery;
}

const on = (call: { workgroup: string; params: { device: string } }): OnDevice => ({
  workgroup: call.workgroup,
  device: call.params.device,
});
const among = (call: { workgroup: string; scope: DeviceScope }) => ({
  workgroup: call.workgroup,
  scope: call.scope,
});

/** Answers the endpoints of schedules. */
export function schedulesRoutes(app: FastifyInstance, of: ScheduleServices): void {
  const { schedules, control, handOut, rehearsals, discovery } = of;
  bind(app, schedulesApi, {
    list: ({ workgroup, scope }) => schedules.list(workgroup, scope),
    create: (call) => schedules.create(call.workgroup, call.body, controlBy(call)),
    change: (call) => schedules.change(among(call), call.params.schedule, call.body, controlBy(call)),
    remove: async (call) => {
      await schedules.remove(call.workgroup, call.params.schedule, controlBy(call));
      return {};
    },
    handOut: (call) => handOut.to(among(call), call.params.schedule, call.body.devices, controlBy(call)),
    ofDevices: ({ workgroup, scope, query }) => control.list(workgroup, scope, query.device),
    setpoints: ({ workgroup, scope, query }) => control.setpoints(workgroup, scope, query.device),
    discover: (call) => discovery.begin(on(call), controlBy(call)),
    bounds: (call) => control.setBounds(on(call), call.body, controlBy(call)),
    versions: (call) => control.versions(on(call), call.query.setpoint),
    rehearse: (call) =>
      rehearsals.rehearse(callerOf(call), call.params.device, call.body, controlBy(call), call.signal),
    add: (call) => control.add(on(call), call.body, controlBy(call)),
    edit: (call) => control.edit(on(call), call.params.deviceSchedule, call.body, controlBy(call)),
    removeOfDevice: async (call) => {
      await control.remove(on(call), call.params.deviceSchedule, controlBy(call));
      return {};
    },
    apply: (call) => control.apply(on(call), call.params.deviceSchedule, call.body, controlBy(call)),
    decide: (call) => control.decide(on(call), call.params.deviceSchedule, call.body, controlBy(call)),
    withdraw: (call) => control.withdraw(on(call), call.params.deviceSchedule, controlBy(call)),
    confirm: (call) => control.confirm(on(call), call.params.deviceSchedule, controlBy(call)),
    override: (call) => control.override(on(call), call.body, controlBy(call)),
    release: (call) => control.release(on(call), call.body, controlBy(call)),
    policy: (call) => schedules.policy(call.workgroup, controlBy(call)),
    setPolicy: (call) => schedules.setPolicy(call.workgroup, call.body, controlBy(call)),
  });
}
