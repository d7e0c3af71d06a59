import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent } from './agent.ts';
import { ConfigError } from './config/config.read.ts';
import { createLog, messageOf } from './log.ts';
import { rootAt } from './root.ts';
import { VERSION } from './version.ts';

const USAGE = `albedo agent ${VERSION}

  agent.mjs run [--root DIR]   capture and send, with the configuration DIR/etc/albedo/albedo.yaml (DIR: /)
  agent.mjs -v                 print the version
`;

/** The configuration cannot be used; source: sysexits.h. */
const EXIT_CONFIG = 78;
const STOP_MS = 8000;

function run(prefix: string, isDebug: boolean): void {
  const log = createLog(isDebug ? 'debug' : 'info');
  const agent = new Agent(rootAt(resolve(prefix)), log);
  agent.start();
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    void agent.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('uncaughtException', (error) => {
    log.error(`The agent met a fault of its own and ends: ${error.stack ?? error.message}`);
    process.exit(1);
  });
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: 'string', default: '/' },
      version: { type: 'boolean', short: 'v', default: false },
      debug: { type: 'boolean', default: false },
    },
  });
  if (values.version) process.stdout.write(`${VERSION}\n`);
  else if (positionals[0] === 'run' && positionals.length === 1) run(values.root, values.debug);
  else {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
}
