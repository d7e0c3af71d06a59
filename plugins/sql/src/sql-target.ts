import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import type { SqlTarget } from './database.ts';

const KINDS = new Map<string, { kind: SqlTarget['kind']; port: number }>([
  ['postgres:', { kind: 'postgres', port: 5432 }],
  ['postgresql:', { kind: 'postgres', port: 5432 }],
  ['mysql:', { kind: 'mysql', port: 3306 }],
  ['mariadb:', { kind: 'mysql', port: 3306 }],
  ['mssql:', { kind: 'mssql', port: 1433 }],
]);

/** Throws `InputError`. */
export function sqlTarget(args: Arguments): SqlTarget {
  const endpoint = args.text('endpoint');
  const url = URL.parse(endpoint);
  const found = KINDS.get(url?.protocol ?? '');
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '');
  if (!url?.hostname || !found || database === '' || database.includes('/')) {
    throw new InputError(
      `endpoint: "${endpoint.slice(0, 200)}" is not of the form postgres://10.0.0.5:5432/database`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw new InputError('endpoint: user and password are arguments of their own');
  if (args.text('user') === '') throw new InputError('user: a database needs one');
  return {
    kind: found.kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? found.port : Number(url.port),
    database,
    user: args.text('user'),
    password: args.text('password'),
    tls: args.text('tls') as SqlTarget['tls'],
    timeoutMs: args.number('timeout') * 1000,
  };
}
