import { securityServicesApi } from '@albedo/contract/security-services/security-services.api';
import { securityServicesEvents } from '@albedo/contract/security-services/security-services.socket';
import type { Postgres } from '@albedo/postgres/postgres';
import { actorOf } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import type { Discovery } from '../discovery/discovery.service.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { ExternalScan } from './external-scan.ts';
import { InternalScan } from './internal-scan.ts';
import { SecurityServices } from './security-services.service.ts';
import { SecurityServicesStore } from './security-services.store.ts';
import { securityServicesPart } from './security-services.tables.ts';

/** Scans of sites: open ports of their public addresses, and hosts of their networks. */
export function openSecurityServices(of: {
  postgres: Postgres;
  deviceAsks: DeviceAsks;
  deviceLink: DeviceLink;
  discovery: Discovery;
  health: Health;
  registry: DeviceRegistry;
  workgroups: Workgroups;
  sockets: Sockets;
  jobs: Jobs;
  bus: Bus;
  audit: Audit;
}): Feature<SecurityServices> {
  const { deviceAsks, deviceLink, discovery, health, workgroups, sockets } = of;
  const teller = sockets.teller(
    securityServicesEvents,
    { job: (job, scope) => (scope.has(job.deviceId) ? job : null) },
    securityServicesApi.jobs.access,
  );
  const services = new SecurityServices({
    ...of,
    store: new SecurityServicesStore(of.postgres),
    scanners: {
      external: new ExternalScan({
        addressOf: (device) => deviceLink.addressOf(device),
        isOnline: (device) => health.of(device).online,
      }),
      internal: new InternalScan({ deviceAsks, modelsAt: (device) => discovery.modelsAt(device) }),
    },
    isSuspended: (workgroup) => workgroups.isSuspended(workgroup),
    tell: (workgroup, job) => teller.emit(workgroup, 'job', job),
  });
  return {
    name: 'security-services',
    service: services,
    workgroupPart: { tables: securityServicesPart },
    jobs: (jobs) => {
      jobs.add(services.weeklyJob);
      for (const job of Object.values(services.scanJobs)) jobs.add(job);
    },
    routes: (app) =>
      bind(app, securityServicesApi, {
        tasks: () => (['external', 'internal'] as const).map((task) => ({ _id: task, task })),
        task: ({ body: { task } }) => ({ _id: task, task }),
        jobs: (call) => services.list(call, call.params.task),
        create: (call) => services.enable(call, call.params.task, call.body, actorOf(call)),
        result: (call) => services.result(call, call.params.task, call.params.securityJob),
        update: (call) => {
          const { task, securityJob } = call.params;
          return services.setEnabled(call, task, securityJob, call.body.enabled, actorOf(call));
        },
        run: async (call) => {
          const { task, securityJob } = call.params;
          const ids = [securityJob, ...call.body.jobIds];
          return {
            message: 'Scan scheduled' as const,
            jobIds: await services.run(call, task, ids, actorOf(call)),
          };
        },
        accept: (call) => {
          const { task, securityJob } = call.params;
          return services.accept(call, task, securityJob, call.body, actorOf(call));
        },
      }),
  };
}
