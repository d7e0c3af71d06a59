import { join } from 'node:path';
import { type ClickHouseAddress, connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import type { Logger } from 'pino';
import type { OwnCertificate } from '../config/authority-file.ts';
import type { Shutdown } from '../house/shutdown.ts';
import type { Exclusively } from './telemetry.catalog.ts';
import { Telemetry } from './telemetry.service.ts';
import { TelemetryStore } from './telemetry.store.ts';

/** The engine, as far as the rest of the cloud can reach it: whether it answers, and the door to what it holds. */
export interface TelemetryEngine {
  /** Throws when nobody answers. */
  ping(): Promise<void>;
  /** Links all parts as they are now to `shadow/<name>` of the folder; null for a server of its own. */
  freeze: ((name: string) => Promise<void>) | null;
  /** `exclusively` guards new fields; several writing processes need a lock that they share. */
  door(of: { log: Logger; exclusively?: Exclusively | undefined; scrollSecret?: Buffer }): Telemetry;
}

/** Connects to the engine at `url`, or starts the embedded one in the data folder. */
export async function openTelemetryEngine(of: {
  url: string | null;
  /** The only authorities whose certificates its server may show, PEM. */
  ca?: string | null;
  /** What we show it, where it asks for a certificate. */
  own?: OwnCertificate | null;
  dataDir: string;
  log: Logger;
  shutdown: Shutdown;
}): Promise<TelemetryEngine> {
  const { dataDir, log, shutdown } = of;
  let address: ClickHouseAddress;
  if (of.url) address = { url: of.url, ...(of.ca ? { ca: of.ca } : {}), ...(of.own ? { own: of.own } : {}) };
  else {
    const engine = await startEmbeddedClickHouse({ dataDir: join(dataDir, 'telemetry'), log });
    shutdown.add('telemetry engine', () => engine.stop());
    address = engine;
  }
  const clickhouse = connectClickHouse(address);
  await clickhouse.ping();
  return {
    ping: () => clickhouse.ping(),
    freeze: of.url
      ? null
      : async (name) => {
          // By name, so that kept days come before events: what is stored meanwhile is then found to be newer than they are.
          const tables = await clickhouse.query<{ id: string }>(
            "SELECT concat(database, '.', name) AS id FROM system.tables WHERE engine LIKE '%MergeTree' ORDER BY name",
          );
          for (const { id } of tables) await clickhouse.exec(`ALTER TABLE ${id} FREEZE WITH NAME '${name}'`);
        },
    door: (options) => new Telemetry(new TelemetryStore({ clickhouse, ...options })),
  };
}
