import { installationApi } from '@albedo/contract/installation/installation.api';
import { FRONTEND_VERSION, PRODUCT_NAME } from '@albedo/contract/product';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';

/** What this installation is, and the plans that its operator offers. */
export function openInstallation({
  config,
  publicUrl,
}: {
  config: Pick<Config, 'region' | 'plans'>;
  publicUrl: () => string;
}): Feature<null> {
  return {
    name: 'installation',
    service: null,
    routes: (app) =>
      bind(app, installationApi, {
        get: () => ({
          product: PRODUCT_NAME,
          version: FRONTEND_VERSION,
          region: config.region,
          url: publicUrl(),
          limits: WORKGROUP_LIMITS,
        }),
        plans: () => config.plans.map((name) => ({ id: name.toLowerCase().replaceAll(/\s+/g, '-'), name })),
      }),
  };
}
