import { exclusivelyOver } from '@albedo/postgres/exclusively';
import type { Logger } from 'pino';
import type { Guard } from './access/guard.ts';
import type { AccessControl } from './access-control/access-control.service.ts';
import { AttemptsStore } from './attempts/attempts.store.ts';
import { Attempts } from './attempts/attempts.ts';
import { AUDIT_STREAM, Audit } from './audit/audit.service.ts';
import type { Bus } from './bus/bus.ts';
import { Ledger } from './completeness/completeness.service.ts';
import type { Config } from './config/config.ts';
import { DeviceGroups } from './device-groups/device-groups.service.ts';
import { DeviceGroupsStore } from './device-groups/device-groups.store.ts';
import { Certificates } from './devices/certificates.service.ts';
import { CertificatesStore } from './devices/certificates.store.ts';
import { EnrolmentStore } from './devices/enrolment.store.ts';
import { Enrolment } from './devices/enrolment.ts';
import type { Engines } from './engines/engines.ts';
import { AppError } from './errors/app-error.ts';
import type { Shutdown } from './house/shutdown.ts';
import { RegistryStore } from './registry/registry.store.ts';
import { DeviceRegistry } from './registry/registry.ts';
import { Sessions } from './sessions/sessions.service.ts';
import { SessionsStore } from './sessions/sessions.store.ts';
import type { StoredRun, Telemetry } from './telemetry/telemetry.service.ts';
import { Workgroups } from './workgroups/workgroups.service.ts';
import { WorkgroupsStore } from './workgroups/workgroups.store.ts';

/** What is kept: users and workgroups, devices and their certificates, events, the audit log, the ledger. */
export interface Records {
  telemetry: Telemetry;
  registry: DeviceRegistry;
  deviceGroups: DeviceGroups;
  certificates: Certificates;
  sessionsStore: SessionsStore;
  sessions: Sessions;
  attempts: Attempts;
  workgroups: Workgroups;
  enrolment: Enrolment;
  audit: Audit;
  ledger: Ledger;
}

/** Opens all of it side by side. */
export async function openRecords(
  config: Config,
  { postgres, telemetryEngine, authority, signingKey }: Engines,
  bus: Bus,
  log: Logger,
  shutdown: Shutdown,
): Promise<Records> {
  const telemetry = telemetryEngine.door({
    log,
    ...(postgres.engine === 'postgres' ? { exclusively: exclusivelyOver(postgres, TELEMETRY_LOCK) } : {}),
  });
  shutdown.add('telemetry', () => telemetry.stop());
  const mfaDomains = config.staffMfa ? config.staffDomains : [];
  const sessionsStore = new SessionsStore(postgres, { mfaDomains });
  const attempts = new Attempts(new AttemptsStore(postgres));
  const registry = new DeviceRegistry(new RegistryStore(postgres));
  const audit = new Audit(telemetry.asSystem('audit'), log);
  const records = {
    telemetry,
    registry,
    deviceGroups: new DeviceGroups({ store: new DeviceGroupsStore(postgres), registry, audit, bus }),
    certificates: new Certificates(new CertificatesStore(postgres), authority, bus),
    sessionsStore,
    attempts,
    sessions: new Sessions({
      store: sessionsStore,
      attempts,
      signingKey,
      staffDomains: config.staffDomains,
      addonManagers: config.addonManagers,
      bus,
    }),
    workgroups: new Workgroups(new WorkgroupsStore(postgres), bus),
    enrolment: new Enrolment(new EnrolmentStore(postgres)),
    audit,
    ledger: new Ledger({
      postgres,
      telemetry: { storedSince: (at) => ofDevices(telemetry, at) },
      log,
      isReader: !config.roles.has('ingest'),
    }),
  };
  await Promise.all([
    records.registry.start(),
    records.deviceGroups.start(),
    records.certificates.start(),
    records.sessions.start(),
    records.workgroups.start(),
    // The ledger reads what the store has.
    telemetry.start().then(() => records.ledger.start()),
  ]);
  shutdown.add('audit log', () => records.audit.stop());
  shutdown.add('ledger', () => records.ledger.stop());
  return records;
}

/** Who may pass, as the records know it. */
export function guardOf(
  { sessions, enrolment, registry, deviceGroups, workgroups }: Records,
  accessControl: AccessControl,
): Guard {
  return {
    session: (token) => sessions.verify(token),
    oneTimeCode: (token) =>
      sessions.verifyPending(token, 'code').catch(() => {
        throw new AppError('session.code_expired');
      }),
    enrolling: (token) => sessions.verifyEnrolling(token),
    enrolment: async (token) => void (await enrolment.check(token)),
    isOpen: (workgroup) => !workgroups.isSuspended(workgroup),
    hasAddon: (workgroup, addon) => workgroups.hasAddon(workgroup, addon),
    rulesAllow: (session, workgroup, { resource, id, action }) =>
      accessControl.allows(session, workgroup, resource, id, action),
    scope: (session, workgroup) => deviceGroups.scopeOf(session, workgroup),
    device: async (workgroup, device, scope) => {
      const isOwn = (await registry.find(device))?.workgroup === workgroup;
      if (!isOwn || !scope.has(device)) throw new AppError('device.not_found');
    },
  };
}

/** What devices sent: the audit log that the cloud writes has numbers of its own. */
async function* ofDevices(telemetry: Telemetry, at: number): AsyncGenerator<StoredRun> {
  for await (const run of telemetry.asSystem('ledger').storedSince(at)) {
    if (run.table !== AUDIT_STREAM.table || run.source !== AUDIT_STREAM.source) yield run;
  }
}

/** Any number that no other lock of this database has. */
const TELEMETRY_LOCK = 7_305_001;
