import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { type Logger, pino, type SerializedError, stdSerializers } from 'pino';

const pretty = isatty(1) ? (await import('pino-pretty')).build : null;

/** Names under which secrets travel; their values never reach a log. */
const SECRETS = ['authorization', 'cookie', 'set-cookie', 'password', 'token', 'keyPem', 'x-xsrf-token'];

/** What follows a failed query in the words of Drizzle: its values, among them hashes of passwords and of links. */
const QUERY_VALUES = /\nparams: [\s\S]*?(?=\n {4}at |$)/g;

/** Structured logs: JSON, or readable lines on a terminal; `to` takes them instead of the standard output. */
export function createLog(level: string, to?: Writable): Logger {
  const redact = {
    paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    censor: '[secret]',
  };
  const options = { level, redact, base: null, serializers: { err: withoutValues } };
  if (to) return pino(options, to);
  if (!pretty) return pino(options);
  return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'reqId', sync: true }));
}

/** An error for the log, without the values of the query that failed. */
function withoutValues(error: Error): SerializedError {
  const { message, stack, params: _values, cause: _cause, ...rest } = stdSerializers.err(error);
  const [said, where] = [message, stack].map((text) => text?.replace(QUERY_VALUES, ''));
  return { ...rest, message: said ?? '', stack: where ?? '' } as SerializedError;
}
