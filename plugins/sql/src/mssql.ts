import type { ColumnType } from '@albedo/plugin-kit/records/record';
import { Connection, Request, TYPES } from 'tedious';
import type { Database, SqlRows, SqlTarget } from './database.ts';

/** SQL Server. It knows no transaction without writing: the user of the connection should not be allowed to write. */
export async function openMssql(target: SqlTarget): Promise<Database> {
  const { host, port, database, user, password, tls, timeoutMs } = target;
  const connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: {
      port,
      database,
      encrypt: tls !== 'no',
      trustServerCertificate: tls === 'any',
      connectTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      readOnlyIntent: true,
      appName: 'albedo',
    },
  });
  connection.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  return {
    parameter: '@watermark',
    name: (text) => `[${text.replaceAll(']', ']]')}]`,
    asText: (expression) => `CONVERT(nvarchar(100), ${expression}, 121)`,
    limited: (select, most) => `SELECT TOP (${most}) ${select}`,
    select: (sql, parameters) => ask(connection, sql, parameters),
    async close() {
      connection.close();
    },
  };
}

function ask(connection: Connection, sql: string, [watermark]: string[]): Promise<SqlRows> {
  return new Promise((resolve, reject) => {
    const found: SqlRows = { columns: [], rows: [] };
    const request = new Request(sql, (error) => (error ? reject(error) : resolve(found)));
    if (watermark !== undefined) request.addParameter('watermark', TYPES.NVarChar, watermark);
    request.on('columnMetadata', (columns) => {
      const list = Array.isArray(columns) ? columns : Object.values(columns);
      found.columns = list.map(({ colName, type }) => ({ name: colName, type: typeOf(type.name) }));
    });
    request.on('row', (row: { value: unknown }[]) => found.rows.push(row.map(({ value }) => value)));
    connection.execSql(request);
  });
}

function typeOf(name: string): ColumnType {
  if (/^Bit/.test(name)) return 'bool';
  if (/Int(N)?$/.test(name)) return 'integer';
  if (/^(Real|Float|Decimal|Numeric|.*Money)/.test(name)) return 'decimal';
  return /Date/.test(name) ? 'date' : 'keyword';
}
