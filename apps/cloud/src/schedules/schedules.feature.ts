import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import { schedulesEvents } from '@albedo/contract/schedules/schedules.socket';
import type { Postgres } from '@albedo/postgres/postgres';
import { transactionNow, whenHeld } from '@albedo/postgres/together';
import type { Logger } from 'pino';
import type { ApiTokens } from '../api-tokens/api-tokens.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Health } from '../health/health.service.ts';
import { deviceStateChanged } from '../health/health.topics.ts';
import type { Feature } from '../house/feature.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Members } from '../members/members.service.ts';
import type { Plants } from '../plants/plants.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { StepUp } from '../step-up/step-up.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { Control } from './control.service.ts';
import { ControlStore } from './control.store.ts';
import { ControlBook } from './control-book.ts';
import { ControlClock } from './control-clock.ts';
import { ControlLetters } from './control-letters.ts';
import { ControlSender } from './control-sender.ts';
import { curtailedBy, NO_POWER } from './curtailed-energy.ts';
import { HandOut } from './hand-out.ts';
import { SIGNER } from './order-signing.ts';
import { pastPowerOf } from './past-power.ts';
import { Rehearsals } from './rehearsals.ts';
import { schedulesRoutes } from './schedules.routes.ts';
import { Schedules } from './schedules.service.ts';
import { SchedulesStore } from './schedules.store.ts';
import { schedulesPart } from './schedules.tables.ts';
import { setpointsSeen } from './schedules.topics.ts';
import { SetpointDiscovery } from './setpoint-discovery.ts';

/** Schedules and setpoints: what devices are told to do, by whom, and what becomes of it. */
export function openSchedules(of: {
  postgres: Postgres;
  registry: DeviceRegistry;
  certificates: Certificates;
  deviceAsks: DeviceAsks;
  deviceGroups: DeviceGroups;
  longActions: LongActions;
  health: Health;
  plants: Plants;
  roles: FieldRoles;
  telemetry: Telemetry;
  members: Members;
  apiTokens: ApiTokens;
  stepUp: StepUp;
  settings: Settings;
  workgroups: Workgroups;
  mailer: Mailer;
  audit: Audit;
  sockets: Sockets;
  jobs: Jobs;
  bus: Bus;
  publicUrl: () => string;
  log: Logger;
}): Feature<{ control: Control; clock: ControlClock; sender: ControlSender; discovery: SetpointDiscovery }> {
  const { postgres, registry, certificates, deviceAsks, health, plants, apiTokens, bus, jobs, log, audit } =
    of;
  const now = () => Date.now();
  const isOnline = (device: string) => health.of(device).online;
  const store = new ControlStore(postgres);
  const teller = of.sockets.teller(schedulesEvents, {
    deviceSchedule: (told, scope) => (scope.has(told.deviceId) ? told : null),
    deviceSetpoint: (told, scope) => (scope.has(told.deviceId) ? told : null),
  });
  const book = new ControlBook({
    store,
    audit,
    teller,
    wake: async (at, what) => {
      const job = what === 'send' ? sender.sending : sender.confirming;
      const inside = transactionNow();
      await jobs.send(job, at, inside ? { inside } : {});
      whenHeld(() => jobs.wake(job));
    },
    now,
  });
  const sender = new ControlSender({
    ...{ store, book, deviceAsks, jobs, isOnline, now, log },
    signer: () => certificates.controlSigner(SIGNER.commonName, SIGNER.usage),
    found: (at, inverters) =>
      void whenHeld(() => bus.publish(setpointsSeen, { ...at, inverters: [...inverters] })),
  });
  const clock = new ControlClock({ store, book, sender, deviceAsks, jobs, isOnline, now, log });
  const schedules = new Schedules({
    ...of,
    store: new SchedulesStore(postgres),
    madeOneOf: (...about) => apiTokens.madeOneOf(...about),
    write: new ControlLetters(of),
    now,
  });
  const rehearsals = new Rehearsals({
    ...{ store, book, schedules, deviceAsks, now },
    zoneOf: (workgroup, device) => plants.zoneOf(workgroup, device),
    curtailed: async (caller, { device, path }, { entries, until, ratedKw }) => {
      if (kindOfPath(path) !== 'setpoint_activepower') return { kwh: null, why: NO_POWER };
      const past = await pastPowerOf(of, caller, device, now());
      return curtailedBy({ entries, until, ratedKw }, past, now());
    },
  });
  const control = new Control({
    ...{ store, book, sender, schedules, audit, stepUp: of.stepUp, isOnline, now },
    problems: (...about) => rehearsals.problems(...about),
  });
  const handOut = new HandOut({ store, schedules, control, registry });
  const discovery = new SetpointDiscovery({
    ...{ store, book, deviceAsks, longActions: of.longActions, isOnline, now },
    nameOf: (device) => registry.known(device)?.name ?? device,
    record: (on, by) => control.record(on, on.device, { action: 'discover' }, by),
  });
  of.longActions.add(discovery.kind);
  return {
    name: 'schedules',
    service: { control, clock, sender, discovery },
    workgroupPart: { tables: schedulesPart },
    jobs: (all) => {
      for (const job of [sender.sending, sender.confirming, clock.ticking]) all.add(job as never);
    },
    hears: [
      hear(deviceStateChanged, ({ workgroup, deviceId, online }) =>
        online ? clock.back(workgroup, deviceId) : undefined,
      ),
    ],
    routes: (app) => schedulesRoutes(app, { schedules, control, handOut, rehearsals, discovery }),
  };
}
