import { exclusivelyOver } from '@albedo/postgres/exclusively';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Feature } from '../house/feature.ts';
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
  log: Logger;
}): Feature<Telemetry> {
  const { postgres, telemetryEngine, log } = of;
  const telemetry = telemetryEngine.door({
    log,
    ...(postgres.engine === 'postgres' ? { exclusively: exclusivelyOver(postgres, LOCK) } : {}),
  });
  return {
    name: 'telemetry',
    service: telemetry,
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
    routes: (app) => telemetryRoutes(app, telemetry),
    sockets: (sockets) => telemetrySockets(sockets, telemetry),
    start: () => telemetry.start(),
    stop: () => telemetry.stop(),
  };
}
