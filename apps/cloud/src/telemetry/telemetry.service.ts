import { holds, scopeIn } from '@albedo/contract/access/permissions';
import { TABLE_PERMISSIONS } from '@albedo/contract/telemetry/telemetry.schema';
import type { Caller } from '../access/caller.ts';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { TelemetryReader, WholeWorkgroup } from './telemetry.reader.ts';
import type { TelemetryStore } from './telemetry.store.ts';

export type { TelemetryBlock } from './telemetry.blocks.ts';
export { RefusedBlocks } from './telemetry.catalog.ts';
export type { StoredFacts } from './telemetry.latest.ts';
export type { PageQuery } from './telemetry.page.ts';
export type { TelemetryReader, WholeWorkgroup } from './telemetry.reader.ts';
export type { StoredRun } from './telemetry.stored.ts';

/** What the cloud itself may do over all workgroups, by the reason for which it does it. */
interface SystemTasks {
  audit: Pick<TelemetryStore, 'insert'>;
  deletion: Pick<TelemetryStore, 'stored' | 'forgetWorkgroup'>;
  health: Pick<TelemetryStore, 'facts'>;
  ingest: Pick<TelemetryStore, 'insert'>;
  ledger: Pick<TelemetryStore, 'storedSince'>;
  versions: Pick<TelemetryStore, 'engineVersion'>;
}

/** Why the cloud itself reads everything of one workgroup. */
type WorkgroupReason = 'export' | 'provider log';

/**
 * The one door to the telemetry: what devices sent, and the audit log.
 *
 * Whoever reads says for whom. `for` answers what one caller can see: their workgroup, their devices, and the tables
 * that their permissions open. What runs without a caller says with `asSystem` why it does.
 */
export class Telemetry {
  readonly #store: TelemetryStore;

  constructor(store: TelemetryStore) {
    this.#store = store;
  }

  start(): Promise<void> {
    return this.#store.start();
  }

  /** Waits for inserts in hand. */
  stop(): Promise<void> {
    return this.#store.stop();
  }

  for({ workgroup, session, devices }: Caller): TelemetryReader {
    const scope = scopeIn(session, workgroup);
    const sees = (table: string) => {
      const wanted = TABLE_PERMISSIONS.get(table);
      return wanted === undefined || (scope !== undefined && holds(scope, wanted));
    };
    return new TelemetryReader(this.#store, { workgroup, devices, sees });
  }

  asSystem<R extends keyof SystemTasks>(reason: R): SystemTasks[R];
  asSystem(reason: WorkgroupReason, workgroup: string): WholeWorkgroup;
  asSystem(_reason: string, workgroup?: string): TelemetryStore | WholeWorkgroup {
    if (workgroup === undefined) return this.#store;
    return new WholeWorkgroup(this.#store, { workgroup, devices: ALL_DEVICES, sees: () => true });
  }
}
