import {
  HISTORY_PREVIEW_RECORDS,
  type HistoryFault,
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
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { ReceivedFile } from '../http/receive-form.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import { textOf } from '../mapping/map-records.ts';
import { columnsOf, valueAt } from '../mapping/read-records.ts';
import { piecesOf } from './history-file.ts';
import { devicesBy, faultsKey, type HistoryAction, type HistoryJobsOptions } from './history-imports.jobs.ts';
import { type HistoryRow, NO_COUNTS, shown } from './history-imports.store.ts';
import { HistoryMapper } from './history-mapper.ts';
import { type HistoryRecord, readable, UnreadableFile } from './history-records.ts';
import { demandColumns } from './missing-columns.ts';
import { StoredFile } from './stored-file.ts';

export interface HistoryImportsOptions extends HistoryJobsOptions {
  longActions: LongActions;
  audit: Audit;
  importing: HistoryAction;
  undoing: HistoryAction;
}

const SHOWN = 200;
const SAMPLE = 20;
const FAULTS = 50;
const COLUMNS = 500;
/** A file that nobody uses is kept for so long. */
const FILE_LIFE_MS = 7 * 86_400_000;

/** History of elsewhere, from files. */
export class HistoryImports {
  readonly #options: HistoryImportsOptions;

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

  /** Throws `history_import.not_found`, `.incomplete`, `.unreadable`, `request.invalid` for a column that the file has not. */
  async preview(workgroup: string, id: string, plan: HistoryPlan | null): Promise<HistoryPreview> {
    const row = await this.demand(workgroup, id);
    const records = await this.#firstRecords(row);
    const good = readable(records);
    if (plan) demandColumns(plan, row.format, good);
    const known = this.#options.registry.inWorkgroup(workgroup);
    const deviceOf = plan ? devicesBy(plan, known) : () => null;
    const faults: HistoryFault[] = [];
    const mapper =
      plan &&
      new HistoryMapper(plan, deviceOf, (fault) => faults.push(fault), {
        holdsForecasts: (table) => this.#options.forecasts.has(workgroup, table),
      });
    const events = mapper ? records.flatMap((one) => mapper.event(one) ?? []) : [];
    const columns = [...new Set(good.slice(0, 200).flatMap((one) => columnsOf(one)))].slice(0, COLUMNS);
    const { deviceColumn = null } = plan ?? {};
    const texts =
      deviceColumn === null ? [] : good.map((one) => textOf(valueAt(one, deviceColumn))?.trim() ?? '');
    return {
      columns,
      records: good
        .slice(0, SAMPLE)
        .map((one) =>
          Object.fromEntries(columns.map((column) => [column, textOf(valueAt(one, column)) ?? ''])),
        ),
      looked: records.length,
      events: events.length,
      sample: events.slice(0, SAMPLE).map(({ values, ...event }) => ({
        ...event,
        values: Object.fromEntries(
          (plan?.mapping.fields ?? []).map(({ name }, i) => [name, values[i] ?? null]),
        ),
      })),
      faulty: mapper?.faulty ?? 0,
      values: mapper?.values ?? 0,
      faults: faults.slice(0, FAULTS),
      devices: [...new Set(texts)].slice(0, COLUMNS).map((text) => ({ text, device: deviceOf(text) })),
    };
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

  /** Throws `history_import.not_found`, `history_import.busy`. */
  async undo(workgroup: string, id: string, by: Actor): Promise<LongAction> {
    const { store, undoing } = this.#options;
    await this.demand(workgroup, id);
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

  /** Takes files away that nobody has used for a week. */
  async tidy(now = Date.now()): Promise<void> {
    const { store } = this.#options;
    for (const row of await store.forgotten(new Date(now - FILE_LIFE_MS))) {
      await this.#forgetFiles(row);
      if (row.state === 'uploading' || row.state === 'ready')
        await store.remove(row.workgroup, row.id, ['uploading', 'ready']);
      else await store.set(row.id, { parts: [] });
    }
  }

  /** Takes the files of a workgroup away that is deleted. */
  async forgetWorkgroup(workgroup: string): Promise<void> {
    for (const row of await this.#options.store.withFiles(workgroup)) await this.#forgetFiles(row);
  }

  /** A file that cannot be read is none of the plan's faults: the import says so, and names the line. */
  async #demandColumns(row: HistoryRow, plan: HistoryPlan): Promise<void> {
    const records = await this.#firstRecords(row).catch((error: unknown) => {
      if (error instanceof AppError && error.error === 'history_import.unreadable') return [];
      throw error;
    });
    demandColumns(plan, row.format, readable(records));
  }

  async #firstRecords({ state, parts, format }: HistoryRow): Promise<HistoryRecord[]> {
    if (state === 'uploading') throw new AppError('history_import.incomplete');
    if (parts.length === 0) throw new AppError('history_import.busy');
    const file = new StoredFile(this.#options.files, parts);
    const records: HistoryRecord[] = [];
    try {
      for await (const piece of piecesOf(file, format, { rows: HISTORY_PREVIEW_RECORDS })) {
        records.push(...piece.records);
        if (records.length >= HISTORY_PREVIEW_RECORDS) break;
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      throw new AppError('history_import.unreadable', { why: error.message });
    }
    return records.slice(0, HISTORY_PREVIEW_RECORDS);
  }

  async #begin(row: HistoryRow, kind: HistoryAction, by: Actor): Promise<LongAction> {
    const { store, longActions } = this.#options;
    const { id, workgroup, name } = row;
    const action = await longActions.begin(kind, { input: { id }, about: name, workgroup, by });
    await store.set(id, { action: action.id });
    this.#tell(row);
    return action;
  }

  async #forgetFiles({ id, parts }: HistoryRow): Promise<void> {
    const { files } = this.#options;
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
