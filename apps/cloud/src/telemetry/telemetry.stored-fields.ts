import type { ClickHouse } from '@albedo/clickhouse/client';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import type { FieldSlot } from './telemetry.blocks.ts';
import { type Exclusively, FieldCatalog, type TableFields } from './telemetry.catalog.ts';
import { fieldList } from './telemetry.columns.ts';
import { asked } from './telemetry.reading.ts';
import { tablesOf, VisibleFields } from './telemetry.scope.ts';
import { readTableInfo, tableTypes } from './telemetry.table-info.ts';

/** The part of a logger that is used here; pino's fits. */
interface Log {
  info(facts: object, message: string): void;
}

export interface TelemetryOptions {
  clickhouse: ClickHouse;
  log: Log;
  /** Guards the assignment of new fields; several writing processes need a lock that they share. */
  exclusively?: Exclusively | undefined;
  /** Signs the ids of scrolls; several processes that answer them need the same one. */
  scrollSecret?: Buffer | undefined;
}

/** A field with one of the types that it was sent with. */
export type FieldType = Pick<FieldSlot, 'field' | 'type' | 'units'>;

/** Units of fields, by table and field. */
export type FieldUnits = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

/** What tables there are and which fields they have, in all and as a scope sees them. */
export class StoredFields {
  protected readonly clickhouse: ClickHouse;
  protected readonly catalog: FieldCatalog;
  protected readonly log: Log;
  readonly #visibleFields: VisibleFields;

  constructor({ clickhouse, log, exclusively }: TelemetryOptions) {
    this.clickhouse = clickhouse;
    this.log = log;
    this.catalog = new FieldCatalog(clickhouse, exclusively);
    this.#visibleFields = new VisibleFields(clickhouse);
  }

  /** The fields of every table of the workgroup with their units, whoever sent them: not for eyes, but for reading values. */
  async units(workgroup: string): Promise<FieldUnits> {
    await this.catalog.refresh();
    const tables = this.catalog.tables(workgroup).map((table) => {
      const fields = this.catalog.table(workgroup, table);
      return [
        table,
        new Map(fields ? fieldList(fields).map(({ name, units }) => [name, units]) : []),
      ] as const;
    });
    return new Map(tables);
  }

  /** Names of the tables that hold data of the workgroup, of the devices that the scope has. */
  async tables(workgroup: string, scope: DeviceScope): Promise<string[]> {
    await this.catalog.refresh();
    const all = this.catalog.tables(workgroup);
    const visible = await asked(() => tablesOf(this.clickhouse, workgroup, scope));
    return all.filter((table) => visible.has(table));
  }

  /**
   * With `typesOnly` without when and where each field was seen: that reads every event of the table, and nobody who only
   * needs the units of a chart can wait for it. Throws `table.not_found`.
   */
  async table(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    { typesOnly = false } = {},
  ): Promise<TableInfo> {
    await this.catalog.refresh();
    const fields = await this.fieldsOf(workgroup, scope, table);
    if (typesOnly) return tableTypes(table, fields);
    return asked(() =>
      readTableInfo({ clickhouse: this.clickhouse, workgroup, devices: scope, table, fields }),
    );
  }

  /** The fields of a table with the types that were sent; a field of two types stands twice. Throws `table.not_found`. */
  async fieldTypes(workgroup: string, scope: DeviceScope, table: string): Promise<FieldType[]> {
    const { n, s } = await this.fieldsOf(workgroup, scope, table);
    return [...n.values(), ...s.values()].filter(({ field }) => field !== '');
  }

  protected async find(
    workgroup: string,
    scope: DeviceScope,
    table: string,
    field?: string,
  ): Promise<TableFields | null> {
    const all = await this.catalog.find(workgroup, table, field);
    return all && this.#visibleFields.of(workgroup, scope, table, all);
  }

  protected async fieldsOf(workgroup: string, scope: DeviceScope, table: string): Promise<TableFields> {
    const fields = await asked(() => this.find(workgroup, scope, table));
    if (!fields) throw new AppError('table.not_found', { table });
    return fields;
  }
}
