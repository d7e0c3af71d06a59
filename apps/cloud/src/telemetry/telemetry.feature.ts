import { exclusivelyOver } from '@albedo/postgres/exclusively';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Feature } from '../house/feature.ts';
import { defineJob } from '../jobs/job.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TelemetryEngine } from './telemetry.engine.ts';
import { exportedEvents } from './telemetry.files.ts';
import { telemetryRoutes } from './telemetry.routes.ts';
import type { Telemetry } from './telemetry.service.ts';
import { telemetrySockets } from './telemetry.sockets.ts';
import { TELEMETRY_TABLES } from './telemetry.store.ts';

/** Any number that no other lock of this database has. */
const LOCK = 7_305_001;

/** Events of devices, and of the cloud itself. */
export function openTelemetry(of: {
  postgres: Postgres;
  telemetryEngine: TelemetryEngine;
  registry: DeviceRegistry;
  csrfSecret: Buffer;
  log: Logger;
}): Feature<Telemetry> {
  const { postgres, telemetryEngine, registry, csrfSecret, log } = of;
  const telemetry = telemetryEngine.door({
    log,
    scrollSecret: csrfSecret,
    ...(postgres.engine === 'postgres' ? { exclusively: exclusivelyOver(postgres, LOCK) } : {}),
  });
  const keeping = defineJob({
    name: 'chart-hours-keep',
    payload: z.object({}),
    limitS: 4 * 3600,
    retry: { times: 3, afterS: 10, atMostS: 120 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: ({ signal }) => telemetry.asSystem('kept hours').keepHours(signal),
  });
  return {
    name: 'telemetry',
    service: telemetry,
    jobs: (all) => all.add(keeping),
    workgroupPart: {
      telemetry: TELEMETRY_TABLES,
      exported: (workgroup, signal) => exportedEvents(telemetry.asSystem('export', workgroup), signal),
      sweep: async (deleted, signal) => {
        const deletion = telemetry.asSystem('deletion');
        for (const name of await deletion.stored([...deleted])) {
          signal.throwIfAborted();
          await deletion.forgetWorkgroup(name);
        }
      },
    },
    routes: (app) => telemetryRoutes(app, telemetry, registry),
    sockets: (sockets) => telemetrySockets(sockets, telemetry),
    start: () => telemetry.start(),
    stop: () => telemetry.stop(),
  };
}
