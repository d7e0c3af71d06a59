import {
  type AskedLayout,
  HISTORY_PREVIEW_RECORDS,
  type HistoryImport,
  type HistoryPlan,
  type HistoryPreview,
  type newHistoryImport,
} from '@albedo/contract/history-imports/history-imports.schema';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { OWN_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { AppError } from '../errors/app-error.ts';
import type { ReceivedFile } from '../http/receive-form.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import { type HistoryRecord, readable, UnreadableFile } from '../mapping/history-records.ts';
import { textOf } from '../mapping/map-records.ts';
import { columnsOf, type ForeignRecord, valueAt } from '../mapping/read-records.ts';
import { type OpenedFile, openFile } from './history-file.ts';
import { devicesBy, faultsKey, type HistoryAction, type HistoryJobsOptions } from './history-imports.jobs.ts';
import { type HistoryRow, NO_COUNTS, shown } from './history-imports.store.ts';
import { columnsOfLook, lookThrough } from './history-look.ts';
import type { SettledPlan } from './history-mapper.ts';
import { Trial } from './history-trial.ts';
import { rangeOf } from './history-writer.ts';
import { demandColumns } from './missing-columns.ts';
import { demandFiles } from './replaced-events.ts';
import { isOpen, settle } from './settle-plan.ts';
import { StoredFile } from './stored-file.ts';

export interface HistoryImportsOptions extends HistoryJobsOptions {
  longActions: LongActions;
  importing: HistoryAction;
  undoing: HistoryAction;
}

const SHOWN = 200;
const SAMPLE = 20;
const COLUMNS = 500;
/** A look at a file takes no longer. */
const LOOK_MS = 20_000;
/** A file that nobody uses is kept for so long. */
const FILE_LIFE_MS = 7 * 86_400_000;

/** History of elsewhere, from files. */
export class HistoryImports {
  readonly #options: HistoryImportsOptions;
  /** The end of the last look in each workgroup. */
  readonly #previews = new Map<string, Promise<void>>();

  constructor(options: HistoryImportsOptions) {
    this.#options = options;
  }

  async list(workgroup: string): Promise<HistoryImport[]> {
    return (await this.#options.store.list(workgroup, SHOWN)).map(shown);
  }

  /** Throws `history_import.too_many`. */
  async create(
    workgroup: string,
    { name, format, bytes }: z.output<typeof newHistoryImport>,
    by: Actor,
  ): Promise<HistoryImport> {
    const { store } = this.#options;
    const { historyImports: count } = WORKGROUP_LIMITS;
    if ((await store.countFiles(workgroup)) >= count)
      throw new AppError('history_import.too_many', { count });
    const row = await store.add({ workgroup, name, format, bytes, by: by.email });
    this.#record(row, by, 'create');
    this.#tell(row);
    return shown(row);
  }

  /** Throws `history_import.not_found`. */
  async demand(workgroup: string, id: string): Promise<HistoryRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row) throw new AppError('history_import.not_found');
    return row;
  }

  /** Takes a part that goes on where the last one ended; answers the bytes that are here. */
  async takePart(
    workgroup: string,
    id: string,
    from: number,
    file: ReceivedFile | undefined,
  ): Promise<number> {
    const { store, files } = this.#options;
    if (file && file.size > 0) {
      const row = await store.addPart(workgroup, id, from, { key: file.key, bytes: file.size });
      if (row) {
        if (row.state === 'ready') this.#tell(row);
        return row.received;
      }
    }
    if (file) await files.remove(file.key);
    return (await this.demand(workgroup, id)).received;
  }

  /**
   * Looks at all of the file, unless that takes too long; one look at a time in each workgroup, as it takes memory. Throws
   * `history_import.not_found`, `.incomplete`, `.unreadable`, `request.invalid` for a column that the file has not.
   */
  async preview(
    workgroup: string,
    id: string,
    plan: HistoryPlan | null,
    layout: AskedLayout | null = null,
  ): Promise<HistoryPreview> {
    const before = this.#previews.get(workgroup);
    const { promise: over, resolve: free } = Promise.withResolvers<void>();
    this.#previews.set(workgroup, over);
    try {
      await before;
      return await this.#preview(workgroup, id, plan, layout);
    } finally {
      if (this.#previews.get(workgroup) === over) this.#previews.delete(workgroup);
      free();
    }
  }

  async #preview(
    workgroup: string,
    id: string,
    plan: HistoryPlan | null,
    layout: AskedLayout | null,
  ): Promise<HistoryPreview> {
    const row = await this.demand(workgroup, id);
    return asUnreadable(async () => {
      const opened = await this.#open(row, plan?.layout ?? layout);
      const untilAt = Date.now() + LOOK_MS;
      const first = await firstRecords(opened);
      const good = readable(first);
      if (plan) demandColumns(plan, row.format, good);
      const trial = plan && !isOpen(plan, row.format) ? this.#trial(row, plan as SettledPlan) : null;
      const looked = await lookThrough(opened, {
        untilAt,
        ...(trial ? { onRecords: (records) => trial.add(records) } : {}),
      });
      const profiles = columnsOfLook(looked, opened);
      const settled =
        plan &&
        settle(plan, {
          format: row.format,
          layout: opened.layout,
          columns: profiles,
          profiles: looked.profiles,
        });
      const tried = trial ?? (settled ? this.#trial(row, settled.plan) : null);
      if (tried && !trial)
        await lookThrough(opened, { untilAt: untilAt + LOOK_MS, onRecords: (records) => tried.add(records) });
      const columns =
        opened.columns ?? [...new Set(good.slice(0, 200).flatMap((one) => columnsOf(one)))].slice(0, COLUMNS);
      return {
        columns,
        records: good.slice(0, SAMPLE).map((one) => textsOf(one, columns)),
        layout: opened.layout,
        sheets: opened.sheets,
        head: opened.head,
        profiles,
        ...looked.profiles.times(),
        asks: settled?.asks ?? [],
        looked: looked.records,
        isWhole: looked.isWhole,
        ...(await (tried ?? new Trial(null)).found()),
      };
    });
  }

  /**
   * Throws `history_import.not_found`, `.incomplete`, `.busy`, `device.not_found`, `data_table.system`, and `request.invalid` for a
   * column that the file has not.
   */
  async start(workgroup: string, id: string, plan: HistoryPlan, by: Actor): Promise<LongAction> {
    const { store, registry, importing } = this.#options;
    const found = await this.demand(workgroup, id);
    if (found.state === 'uploading') throw new AppError('history_import.incomplete');
    const ids = new Set(registry.inWorkgroup(workgroup).map((device) => device.id));
    for (const device of [plan.device, ...Object.values(plan.devices)])
      if (device !== null && !ids.has(device)) throw new AppError('device.not_found');
    const { table } = plan.mapping;
    if (plan.tableColumn === null && OWN_TABLES.has(table))
      throw new AppError('data_table.system', { table });
    if (found.state === 'ready') await this.#demandColumns(found, plan);
    const change = {
      state: 'running',
      plan,
      counts: NO_COUNTS,
      faults: [],
      error: null,
      seenAt: null,
    } as const;
    const row = await store.move(workgroup, id, ['ready'], { ...change, faults: [] });
    if (!row) throw new AppError('history_import.busy');
    this.#record(row, by, 'start');
    return this.#begin(row, importing, by);
  }

  /**
   * Throws `history_import.not_found`, `.busy`, `.lost` where what it replaced is gone, and `.replaced` where a later import stands
   * in the place of its events: what this one replaced would come back beside those. `data_table.held` where a legal hold is on
   * events of it.
   */
  async undo(workgroup: string, id: string, by: Actor): Promise<LongAction> {
    const { store, files, undoing, telemetry, storage } = this.#options;
    const { serial, replaced } = await this.demand(workgroup, id);
    if (replaced.length > 0) {
      const later = await store.replacerOf(workgroup, rangeOf(serial).from);
      if (later) throw new AppError('history_import.replaced', { name: later.name });
      await demandFiles(files, replaced);
    }
    const streams = await telemetry.asSystem('history import').numbered(workgroup, rangeOf(serial));
    await storage.demandUnheld(workgroup, streams);
    const change = { state: 'undoing', seenAt: null } as const;
    const row = await store.move(workgroup, id, ['done', 'cancelled', 'failed'], change);
    if (!row) throw new AppError('history_import.busy');
    this.#record(row, by, 'undo');
    return this.#begin(row, undoing, by);
  }

  /** Throws `history_import.not_found`, and `history_import.busy` where anything of it may be stored. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    await this.demand(workgroup, id);
    const row = await this.#options.store.remove(workgroup, id, ['uploading', 'ready', 'undone']);
    if (!row) throw new AppError('history_import.busy');
    await this.#forgetFiles(row);
    this.#record(row, by, 'delete');
    this.#tell(row);
  }

  /** A long action was cancelled before it began. */
  async cancelled(action: string): Promise<void> {
    const row = await this.#options.store.notBegun(action);
    if (row) this.#tell(row);
  }

  /** Takes files away that nobody has used for a week; what an import took out of the store stays until that is put back. */
  async tidy(now = Date.now()): Promise<void> {
    const { store } = this.#options;
    for (const row of await store.forgotten(new Date(now - FILE_LIFE_MS))) {
      const { workgroup, id, state } = row;
      const isUnused = state === 'uploading' || state === 'ready';
      const taken = isUnused
        ? await store.remove(workgroup, id, ['uploading', 'ready'])
        : await store.move(workgroup, id, ['cancelled', 'failed'], { state, parts: [] });
      if (taken) await this.#forgetFiles({ ...row, replaced: isUnused ? row.replaced : [] });
    }
  }

  /** Takes the files of a workgroup away that is deleted. */
  async forgetWorkgroup(workgroup: string): Promise<void> {
    for (const row of await this.#options.store.withFiles(workgroup)) await this.#forgetFiles(row);
  }

  /** A file that cannot be read is none of the plan's faults: the import says so, and names the line. */
  async #demandColumns(row: HistoryRow, plan: HistoryPlan): Promise<void> {
    const read = async () => firstRecords(await this.#open(row, plan.layout));
    const records = await read().catch((error: unknown) => {
      if (error instanceof UnreadableFile) return [];
      throw error;
    });
    demandColumns(plan, row.format, readable(records));
  }

  async #open({ state, parts, format }: HistoryRow, layout: AskedLayout | null): Promise<OpenedFile> {
    if (state === 'uploading') throw new AppError('history_import.incomplete');
    if (parts.length === 0) throw new AppError('history_import.busy');
    return openFile(new StoredFile(this.#options.files, parts), format, layout);
  }

  #trial({ workgroup, serial }: HistoryRow, plan: SettledPlan): Trial {
    const { telemetry, registry, forecasts } = this.#options;
    return new Trial({
      plan,
      workgroup,
      telemetry,
      range: rangeOf(serial),
      deviceOf: devicesBy(plan, registry.inWorkgroup(workgroup)),
      holdsForecasts: (table) => forecasts.has(workgroup, table),
    });
  }

  async #begin(row: HistoryRow, kind: HistoryAction, by: Actor): Promise<LongAction> {
    const { store, longActions } = this.#options;
    const { id, workgroup, name } = row;
    const action = await longActions.begin(kind, { input: { id }, about: name, workgroup, by });
    await store.set(id, { action: action.id });
    this.#tell(row);
    return action;
  }

  async #forgetFiles({ id, parts, replaced }: HistoryRow): Promise<void> {
    const { files } = this.#options;
    for (const { key } of replaced) await files.remove(key);
    for (const { key } of parts) await files.remove(key);
    await files.remove(faultsKey(id));
  }

  #tell({ workgroup }: HistoryRow): void {
    this.#options.tell('history-imports', workgroup);
  }

  #record({ id, workgroup, name, plan, counts }: HistoryRow, by: Actor, action: string): void {
    const newValue =
      action === 'start'
        ? JSON.stringify({
            table: plan?.mapping.table,
            device: plan?.device,
            deviceColumn: plan?.deviceColumn,
            existing: plan?.existing,
          })
        : null;
    const oldValue = action === 'undo' ? `${counts.stored} events` : null;
    this.#options.audit.record({
      workgroup,
      at: Date.now(),
      controller: 'history-import',
      entity: `${name} (${id})`,
      action,
      by: by.email,
      address: by.address,
      ...(newValue === null ? {} : { newValue }),
      ...(oldValue === null ? {} : { oldValue }),
    });
  }
}

async function firstRecords(opened: OpenedFile): Promise<HistoryRecord[]> {
  const records: HistoryRecord[] = [];
  for await (const piece of opened.pieces()) {
    records.push(...piece.records);
    if (records.length >= HISTORY_PREVIEW_RECORDS) break;
  }
  return records.slice(0, HISTORY_PREVIEW_RECORDS);
}

const textsOf = (record: ForeignRecord, columns: readonly string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, textOf(valueAt(record, column)) ?? '']));

async function asUnreadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new AppError('history_import.unreadable', { why: error.message });
  }
}
