import { type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';

/** What a table holds of workgroups. */
export interface TablePart {
  readonly table: PgTable;
  /** Which of its rows are those of the workgroup. */
  readonly of: (workgroup: string) => SQL;
  /** Table by whose rows they are found, so that it is emptied after this one. */
  readonly leansOn: PgTable | null;
  /** Names of the columns that leave the house in an export, as the code calls them. */
  readonly exported: readonly string[];
  /** Its rows outlive the workgroup. */
  readonly stays: boolean;
}

type Rows = Pick<TablePart, 'of' | 'leansOn'>;

/** Every column has to be decided on: a new one does not compile before. */
type Decisions<T extends PgTable> = { [K in keyof T['$inferSelect']]: 'exported' | 'withheld' };

/** Announces a table that holds something of workgroups, and which of its columns leave in an export. */
export function tablePart<T extends PgTable>(
  table: T,
  rows: Rows,
  columns: Decisions<T>,
  { stays = false } = {},
): TablePart {
  const exported = Object.entries(columns).flatMap(([name, say]) => (say === 'exported' ? [name] : []));
  return { table, ...rows, exported, stays };
}

/** Rows that name the workgroup. */
export const named = (column: PgColumn): Rows => ({
  of: (workgroup) => sql`${column} = ${workgroup}`,
  leansOn: null,
});

/** Rows that name a row of a table that names the workgroup. */
export const under = (column: PgColumn, parent: PgTable & { workgroup: PgColumn }, key: PgColumn): Rows => ({
  of: (workgroup) =>
    sql`${column} in (select ${key} from ${parent} where ${parent.workgroup} = ${workgroup})`,
  leansOn: parent,
});

export const yes = 'exported';
/** Opens something, or is worth nothing to anybody else. */
export const no = 'withheld';

/** The tables to empty, in an order in which that can be done: each before those that it refers to. */
export function inOrderOfDeletion(all: readonly TablePart[]): TablePart[] {
  const parts = all.filter(({ stays }) => !stays);
  const byTable = new Map(parts.map((part) => [part.table, part]));
  const referrers = new Map<PgTable, TablePart[]>();
  for (const part of parts) {
    const { foreignKeys } = getTableConfig(part.table);
    const parents = [part.leansOn, ...foreignKeys.map((key) => key.reference().foreignTable)];
    for (const parent of parents)
      if (parent && parent !== part.table) referrers.set(parent, [...(referrers.get(parent) ?? []), part]);
  }
  const ordered = new Set<TablePart>();
  const visit = (part: TablePart, above: readonly TablePart[]): void => {
    if (above.includes(part)) throw new Error('Tables of workgroups refer to each other in a circle.');
    for (const referrer of referrers.get(part.table) ?? []) visit(referrer, [...above, part]);
    ordered.add(part);
  };
  for (const part of byTable.values()) visit(part, []);
  return [...ordered];
}
