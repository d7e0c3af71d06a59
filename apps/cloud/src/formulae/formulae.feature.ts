import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { formulaeRoutes } from './formulae.routes.ts';
import { Formulae } from './formulae.service.ts';
import { FormulaeStore } from './formulae.store.ts';
import { formulaePart } from './formulae.tables.ts';

/** Expressions over what devices send. */
export function openFormulae(of: {
  postgres: Postgres;
  audit: Audit;
  sockets: Sockets;
  telemetry: Telemetry;
}): Feature<Formulae> {
  const { postgres, audit, sockets, telemetry } = of;
  const formulae = new Formulae({ store: new FormulaeStore(postgres), audit, tell: sockets.tellList });
  return {
    name: 'formulae',
    service: formulae,
    workgroupPart: { tables: formulaePart },
    routes: (app) => formulaeRoutes(app, formulae, telemetry),
  };
}
