import { auditApi } from '@albedo/contract/audit/audit.api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { bind } from '../http/bind.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { AuditBook } from './audit.book.ts';
import { AuditReader } from './audit.reader.ts';
import { type Audit, PROVIDER_LOG } from './audit.service.ts';

export function auditRoutes(
  app: FastifyInstance,
  of: { telemetry: Telemetry; audit: Audit; book: AuditBook; registry: DeviceRegistry },
): void {
  const reader = new AuditReader(of);
  const provider = () => of.telemetry.asSystem('provider log', PROVIDER_LOG);
  bind(app, auditApi, {
    list: (call) => reader.page(of.telemetry.for(callerOf(call)), call.query, call.signal),
    choices: (call) => reader.choices(of.telemetry.for(callerOf(call))),
    export: ({ workgroup, reply }) => {
      reply.header('content-disposition', `attachment; filename="audit-${workgroup}.ndjson"`);
      return of.book.export(workgroup);
    },
    key: () => ({ publicKey: of.book.publicKey }),
    providerExport: ({ reply }) => {
      reply.header('content-disposition', 'attachment; filename="audit-provider.ndjson"');
      return of.book.export(PROVIDER_LOG);
    },
    provider: ({ query, signal }) => reader.page(provider(), query, signal),
    providerChoices: () => reader.choices(provider()),
  });
}
