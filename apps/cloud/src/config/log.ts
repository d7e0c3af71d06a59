import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import { build as pretty } from 'pino-pretty';

/** Names under which secrets travel; their values never reach a log. */
const SECRETS = ['authorization', 'cookie', 'set-cookie', 'password', 'token', 'keyPem', 'x-xsrf-token'];

/** Structured logs: JSON, or readable lines on a terminal. */
export function createLog(level: string): Logger {
  const redact = {
    paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    censor: '[secret]',
  };
  const options = { level, redact, base: null };
  if (!isatty(1)) return pino(options);
  return pino(options, pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'reqId', sync: true }));
}
