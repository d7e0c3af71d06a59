import { auditApi } from '@albedo/contract/audit/audit.api';
import type { FastifyInstance } from 'fastify';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { bind } from '../http/bind.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TelemetryStore } from '../telemetry/telemetry.store.ts';
import { AuditReader } from './audit.reader.ts';
import { type Audit, PROVIDER_LOG } from './audit.service.ts';

export function auditRoutes(
  app: FastifyInstance,
  of: { telemetry: TelemetryStore; audit: Audit; registry: DeviceRegistry },
): void {
  const reader = new AuditReader(of);
  bind(app, auditApi, {
    list: ({ workgroup, scope, query, signal }) => reader.page(workgroup, query, scope, signal),
    choices: ({ workgroup, scope }) => reader.choices(workgroup, scope),
    provider: ({ query, signal }) => reader.page(PROVIDER_LOG, query, ALL_DEVICES, signal),
    providerChoices: () => reader.choices(PROVIDER_LOG, ALL_DEVICES),
  });
}
