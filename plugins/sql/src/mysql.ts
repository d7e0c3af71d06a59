import type { ColumnType } from '@albedo/plugin-kit/records/record';
import mysql from 'mysql2/promise';
import { type Database, type SqlTarget, sslOf } from './database.ts';

/** Types of columns by their number in the protocol. Source: MySQL 8.4, field_types.h. */
const TYPES = new Map<number, ColumnType>([
  ...[1, 2, 3, 8, 9, 13].map((one) => [one, 'integer'] as const),
  ...[0, 4, 5, 246].map((one) => [one, 'decimal'] as const),
  ...[7, 10, 12].map((one) => [one, 'date'] as const),
]);

/** MySQL and MariaDB. Each query runs in a transaction that the server itself keeps from writing. */
export async function openMysql(target: SqlTarget): Promise<Database> {
  const { host, port, database, user, password, timeoutMs } = target;
  const ssl = sslOf(target);
  const connection = await mysql.createConnection({
    host,
    port,
    database,
    user,
    password,
    ...(ssl ? { ssl } : {}),
    connectTimeout: timeoutMs,
    // Digits that a number would lose stay text.
    supportBigNumbers: true,
    multipleStatements: false,
  });
  connection.on('error', () => {});
  return {
    parameter: '?',
    name: (text) => `\`${text.replaceAll('`', '``')}\``,
    asText: (expression) => `CAST(${expression} AS CHAR)`,
    limited: (select, most) => `SELECT ${select} LIMIT ${most}`,
    async select(sql, values) {
      await connection.query('START TRANSACTION READ ONLY');
      try {
        const request = { sql, rowsAsArray: true, timeout: timeoutMs, values };
        const [rows, fields] = await connection.query<mysql.RowDataPacket[][]>(request);
        const columns = fields.map(({ name, columnType = 0 }) => ({
          name,
          type: TYPES.get(columnType) ?? ('keyword' as const),
        }));
        return { columns, rows: rows as unknown[][] };
      } finally {
        await connection.query('ROLLBACK');
      }
    },
    close: () => connection.end(),
  };
}
