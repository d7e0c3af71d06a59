import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Feature } from '../house/feature.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { KeyRing } from '../secrets/key-ring.ts';
import { keepSecret } from '../secrets/secrets.ts';
import { makeSigningKey } from '../secrets/signing-keys.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { AuditBook } from './audit.book.ts';
import { auditVerify } from './audit.command.ts';
import { auditRoutes } from './audit.routes.ts';
import { Audit, PROVIDER_LOG } from './audit.service.ts';
import { AuditStore } from './audit.store.ts';
import { auditPart } from './audit.tables.ts';

/** What people did, by workgroup. */
export async function openAudit(of: {
  postgres: Postgres;
  dataDir: string;
  keys: KeyRing;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  log: Logger;
}): Promise<Feature<Audit>> {
  const { postgres } = of;
  const store = new AuditStore(postgres);
  const audit = new Audit({ store, sink: of.telemetry.asSystem('audit'), log: of.log });
  const book = new AuditBook(store, await keepSecret(of, 'secrets/audit.pem', makeSigningKey));
  return {
    name: 'audit',
    service: audit,
    workgroupPart: {
      tables: auditPart,
      // What ends with the workgroup is still vouched for by the log of the provider.
      closing: async (workgroup, { email, address }) => {
        const head = await store.head(workgroup);
        if (!head) return;
        const entry = { workgroup: PROVIDER_LOG, at: Date.now(), controller: 'audit', entity: workgroup };
        const newValue = `${head.seq} ${head.hash}`;
        audit.record({ ...entry, action: 'close', attribute: 'chain', newValue, by: email, address });
      },
    },
    routes: (app) => auditRoutes(app, { ...of, audit, book }),
    commands: { 'audit verify': auditVerify(store, of.telemetry) },
    start: () => audit.start(),
    stop: () => audit.stop(),
  };
}
