import type { ColumnType } from '@albedo/plugin-kit/records/record';

export interface SqlTarget {
  kind: 'postgres' | 'mysql' | 'mssql';
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** `yes` checks the server's certificate, `any` does not. */
  tls: 'no' | 'yes' | 'any';
  timeoutMs: number;
}

export interface SqlRows {
  columns: { name: string; type: ColumnType }[];
  /** Values in the order of the columns. */
  rows: unknown[][];
}

/** A session with a database. Nothing that it is asked changes anything there. */
export interface Database {
  /** Quotes a name. */
  name(text: string): string;
  /** A value as text that the database itself reads back without loss. */
  asText(expression: string): string;
  /** The first rows of a query. */
  limited(select: string, most: number): string;
  /** Where the one parameter stands. */
  parameter: string;
  select(sql: string, parameters: string[]): Promise<SqlRows>;
  close(): Promise<void>;
}

export const sslOf = ({ tls }: SqlTarget) =>
  tls === 'no' ? undefined : { rejectUnauthorized: tls === 'yes' };
