import { FRONTEND_VERSION } from '@albedo/contract/product';
import { versionsApi } from '@albedo/contract/versions/versions.api';
import type { Versions } from '@albedo/contract/versions/versions.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Config } from '../config/config.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';

export interface VersionsParts {
  config: Config;
  postgres: Postgres;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  health: Health;
}

/** The version of everything that runs, for the staff. */
export function openVersions(of: VersionsParts): Feature<null> {
  const startedAt = Date.now();
  return {
    name: 'versions',
    service: null,
    routes: (app) => bind(app, versionsApi, { get: () => versionsOf(of, startedAt) }),
  };
}

async function versionsOf(of: VersionsParts, startedAt: number): Promise<Versions> {
  const { config, postgres, telemetry, registry, health } = of;
  const [[records], clickhouse] = await Promise.all([
    postgres.query<{ server_version: string }>('show server_version'),
    telemetry.asSystem('versions').engineVersion(),
  ]);
  const facts = registry.ids().map((id) => health.of(id));
  const byVersion = Map.groupBy(facts, ({ version }) => version ?? 'unknown');
  return {
    cloud: FRONTEND_VERSION,
    web: FRONTEND_VERSION,
    node: process.version,
    engines: [
      { name: 'PostgreSQL', version: records?.server_version ?? 'unknown' },
      { name: 'ClickHouse', version: clickhouse },
    ],
    agents: [...byVersion]
      .map(([version, all]) => ({
        version,
        devices: all.length,
        online: all.filter(({ online }) => online).length,
      }))
      .toSorted((a, b) => b.devices - a.devices),
    roles: [...config.roles],
    startedAt,
  };
}
