import type { Logger } from 'pino';
import type { Feature } from '../house/feature.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { auditRoutes } from './audit.routes.ts';
import { Audit } from './audit.service.ts';

/** What people did, by workgroup. */
export function openAudit(of: {
  telemetry: Telemetry;
  registry: DeviceRegistry;
  log: Logger;
}): Feature<Audit> {
  const audit = new Audit(of.telemetry.asSystem('audit'), of.log);
  return {
    name: 'audit',
    service: audit,
    routes: (app) => auditRoutes(app, { ...of, audit }),
    stop: () => audit.stop(),
  };
}
