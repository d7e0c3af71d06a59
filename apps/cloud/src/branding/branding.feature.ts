import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import { brandingPart } from '../database/branding.tables.ts';
import type { Feature } from '../house/feature.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { brandingRoutes } from './branding.routes.ts';
import { Branding } from './branding.service.ts';
import { BrandingStore } from './branding.store.ts';
import { hostBrandChanged } from './branding.topics.ts';

/** How the product looks, by host and by workgroup. */
export function openBranding(of: {
  postgres: Postgres;
  workgroups: Workgroups;
  audit: Audit;
  bus: Bus;
}): Feature<Branding> {
  const branding = new Branding({ ...of, store: new BrandingStore(of.postgres) });
  return {
    name: 'branding',
    service: branding,
    workgroupPart: { tables: brandingPart, exported: (workgroup) => branding.files(workgroup) },
    hears: [hear(hostBrandChanged, (_changed, { isOwn }) => (isOwn ? undefined : branding.start()))],
    routes: (app) => brandingRoutes(app, branding),
    start: () => branding.start(),
  };
}
