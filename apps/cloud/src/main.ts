import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before anything else is loaded: compiling a few hundred modules is a good part of a start. Where the folder cannot be
// written nothing is kept.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compile'));
const { startCloud } = await import('./cloud.ts');
const { ConfigError, readConfig } = await import('./config/config.ts');
const { createLog } = await import('./config/log.ts');

/** A stop that takes longer than this is cut off, ms. */
const STOP_MS = 9500;

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const cloud = await startCloud(config, log);
  if (cloud.firstOwner) {
    // On the terminal only: what is printed here is in no log.
    const { email, password } = cloud.firstOwner;
    const secret = password === null ? 'the password of ALBEDO_OWNER_PASSWORD' : `password ${password}`;
    process.stdout.write(`\n  First owner: ${email}, ${secret}\n\n`);
  }

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
  const message =
    error instanceof ConfigError ? error.message : `Albedo cannot start: ${(error as Error).message}`;
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
