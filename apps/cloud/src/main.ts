import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { chooseTls } from './config/tls.ts';
import type { FirstOwner } from './sessions/first-owner.ts';

// Before anything else is loaded: compiling a few hundred modules is a good part of a start. Where the folder cannot be
// written nothing is kept.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compile'));
chooseTls();
(await import('./house/known-paths.ts')).rememberPaths();
const { startCloud } = await import('./start.ts');
const { ConfigError, readConfig } = await import('./config/config.ts');
const { markFailed } = await import('./house/last-end.ts');
const { createLog } = await import('./config/log.ts');
const { isDamage } = await import('@albedo/postgres/damage');

/** A stop that takes longer than this is cut off, ms. */
const STOP_MS = 9500;
/** Characters of the reason that are kept. */
const LONGEST_REASON = 4000;

/** What an operator does about records that cannot be read. */
const RECORDS_DAMAGED =
  'The disk gives back something else than was written: keep a copy of the data folder, and restore a backup of it (npm run -s albedo -- backup restore).';

/** The exit code after something escaped, which a supervisor answers with another start. Source: EX_SOFTWARE. */
const BROKEN = 70;

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const escaped = (error: unknown) => {
    log.fatal({ err: error }, 'something escaped; the server ends and has to be started again');
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    markFailed(resolve(config.dataDir), text.slice(0, LONGEST_REASON));
    process.exit(BROKEN);
  };
  process.on('uncaughtException', escaped);
  process.on('unhandledRejection', escaped);
  // On the terminal only: what is printed here is in no log.
  const onFirstOwner = ({ email, password, passwordUntil }: FirstOwner) => {
    const secret = password === null ? 'the password of ALBEDO_OWNER_PASSWORD' : `password ${password}`;
    const end = passwordUntil
      ? `\n  It is good until ${passwordUntil.toISOString()}: choose your own before.`
      : '';
    process.stdout.write(`\n  First owner: ${email}, ${secret}${end}\n\n`);
  };
  const cloud = await startCloud(config, log, { onFirstOwner });

  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, STOP_MS).unref();
    void cloud.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  const message = error instanceof ConfigError ? error.message : `Albedo cannot start: ${reasonOf(error)}`;
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** In the words of the engine, where a library has put the statement in front of them. */
function reasonOf(error: unknown): string {
  if (!isDamage(error)) return (error as Error).message;
  const { message } = error.cause instanceof Error ? error.cause : error;
  return `${message}. ${RECORDS_DAMAGED}`;
}
