import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { lookupTablesRoutes } from './lookup-tables.routes.ts';
import { LookupTables } from './lookup-tables.service.ts';
import { LookupTablesStore } from './lookup-tables.store.ts';
import { lookupTablesPart } from './lookup-tables.tables.ts';

/** Words for the codes that devices send. */
export function openLookupTables(of: {
  postgres: Postgres;
  audit: Audit;
  sockets: Sockets;
}): Feature<LookupTables> {
  const { postgres, audit, sockets } = of;
  const tables = new LookupTables({ store: new LookupTablesStore(postgres), audit, tell: sockets.tellList });
  return {
    name: 'lookup-tables',
    service: tables,
    workgroupPart: { tables: lookupTablesPart },
    routes: (app) => lookupTablesRoutes(app, tables),
  };
}
