import { holds, scopeIn, type WorkgroupScope } from '@albedo/contract/access/permissions';
import { TABLE_PERMISSIONS } from '@albedo/contract/telemetry/telemetry.schema';
import type { Caller } from '../access/caller.ts';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import { TelemetryReader, WholeWorkgroup } from './telemetry.reader.ts';
import type { TelemetryStore } from './telemetry.store.ts';

export type { TelemetryBlock } from './telemetry.blocks.ts';
export type { BucketPoints } from './telemetry.buckets.ts';
export { RefusedBlocks } from './telemetry.catalog.ts';
export type { CsvHow } from './telemetry.csv.ts';
export type { DaySlots, DaySlotsQuery, Slot } from './telemetry.day-slots.ts';
export type { NumberedStream, NumberRange, Stretch } from './telemetry.history.ts';
export type { LatestOfDevice, StoredFacts } from './telemetry.latest.ts';
export type { PageQuery } from './telemetry.page.ts';
export type { DetachedPart, StorePart } from './telemetry.parts.ts';
export { type Piece, pieceOf, type StreamOf, type StreamPieces, type Windows } from './telemetry.pieces.ts';
export type { TelemetryReader, WholeWorkgroup } from './telemetry.reader.ts';
export { type Deletion, isDamage, type ScrubGroup, type StreamCount } from './telemetry.scrub.ts';
export type { FieldUnits } from './telemetry.store.ts';
export type { StoredRun } from './telemetry.stored.ts';
export { type Beside, CALCULATED, type SourceSpan, type Touched } from './telemetry.touched.ts';
export type { MonthSpan } from './telemetry.usage.ts';
export { calendarInterval, windowEdges } from './telemetry.window-edges.ts';
export type { WindowStream, WindowsQuery, WindowValues } from './telemetry.windows.ts';

/** What the cloud itself may do over all workgroups, by the reason for which it does it. */
interface SystemTasks {
  audit: Pick<TelemetryStore, 'insert' | 'workgroupsOf'>;
  calculations: Pick<TelemetryStore, 'insert' | 'touchedSince' | 'pausesBeside'>;
  'data administration': Pick<TelemetryStore, 'deleteEvents' | 'deleteMonth' | 'tables'>;
  deletion: Pick<TelemetryStore, 'stored' | 'forgetWorkgroup'>;
  energy: Pick<TelemetryStore, 'touchedDevices'>;
  health: Pick<TelemetryStore, 'facts'>;
  'history import': Pick<
    TelemetryStore,
    | 'insert'
    | 'instants'
    | 'spans'
    | 'numbered'
    | 'forgetNumbered'
    | 'others'
    | 'takeOthers'
    | 'forgetOthers'
    | 'putBack'
  >;
  incidents: Pick<TelemetryStore, 'insert'>;
  ingest: Pick<TelemetryStore, 'insert' | 'held'>;
  ledger: Pick<TelemetryStore, 'storedSince'>;
  'store checks': Pick<TelemetryStore, 'listParts' | 'brokenParts' | 'damageOf' | 'setAsidePart'>;
  scrub: Pick<TelemetryStore, 'groupAfter' | 'readGroup' | 'countSince' | 'deletions'>;
  'kept hours': Pick<TelemetryStore, 'keepHours'>;
  versions: Pick<TelemetryStore, 'engineVersion'>;
  webhooks: Pick<TelemetryStore, 'countNewly' | 'newly'>;
}

/** Somebody with what they may do in a workgroup, and the devices that exist for them. */
export interface Member {
  workgroup: string;
  /** Undefined where they are no member. */
  scope: WorkgroupScope | undefined;
  devices: DeviceScope;
  /** The user or the API token, where they call now. */
  who?: string;
}

/** Why the cloud itself reads everything of one workgroup. */
type WorkgroupReason =
  | 'alerts'
  | 'audit'
  | 'calculations'
  | 'connection quality'
  | 'energy'
  | 'export'
  | 'provider log'
  | 'rollouts';

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
    return this.forMember({ workgroup, scope: scopeIn(session, workgroup), devices, who: session._id });
  }

  /** What somebody can see who does not call now, such as the owner of a schedule. */
  forMember({ workgroup, scope, devices, who }: Member): TelemetryReader {
    const sees = (table: string) => {
      const wanted = TABLE_PERMISSIONS.get(table);
      return wanted === undefined || (scope !== undefined && holds(scope, wanted));
    };
    return new TelemetryReader(this.#store, { workgroup, devices, who, sees });
  }

  asSystem<R extends keyof SystemTasks>(reason: R): SystemTasks[R];
  asSystem(reason: WorkgroupReason, workgroup: string): WholeWorkgroup;
  asSystem(_reason: string, workgroup?: string): TelemetryStore | WholeWorkgroup {
    if (workgroup === undefined) return this.#store;
    return new WholeWorkgroup(this.#store, { workgroup, devices: ALL_DEVICES, sees: () => true });
  }
}
