import './small-heap.ts';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent } from './agent.ts';
import { adoptChildren } from './commands/children.ts';
import { whenUnkept } from './commands/keeper.ts';
import { ConfigError } from './config/config.read.ts';
import { confine, isConfined } from './confinement.ts';
import { createLog, messageOf } from './log.ts';
import { placeTool, TOOLS } from './plugins/tools.ts';
import { rootAt } from './root.ts';
import { type Launch, launchHere } from './upgrade/guard.ts';
import { programAt } from './upgrade/program.ts';
import { settleTrial } from './upgrade/trial.ts';
import { VERSION } from './version.ts';

const USAGE = `albedo agent ${VERSION}

  agent.mjs run [--root DIR]   capture and send, with the configuration DIR/etc/albedo/albedo.yaml (DIR: /)
  agent.mjs -v                 print the version
`;

/** The configuration cannot be used; source: sysexits.h. */
const EXIT_CONFIG = 78;
const STOP_MS = 8000;

async function run(prefix: string, isDebug: boolean): Promise<void> {
  const log = createLog(isDebug ? 'debug' : 'info');
  const root = rootAt(resolve(prefix));
  const program = programAt(process.argv[1]);
  const launch = launchHere(root.at('/run/albedo/agent.pid'));
  if (!isConfined()) adoptChildren(root.at('/run/albedo/children'), log);
  if (program) await settleTrial(program, VERSION, log);
  let isStopping = false;
  const stop = (afterwards = (): void => {}): void => {
    if (isStopping) return;
    isStopping = true;
    const end = (code: number) => {
      afterwards();
      process.exit(code);
    };
    setTimeout(() => end(1), STOP_MS).unref();
    void agent.stop().then(() => end(0));
  };
  const restart = () => {
    log.info('The agent starts again as another version.');
    stop(() => succeed(launch));
  };
  const agent = new Agent(root, log, { program, launch, restart });
  agent.start();
  const installed = process.argv[1];
  // Commands for people on the device; they follow the program to its next version.
  if (program && installed) for (const tool of TOOLS) placeTool(root, installed, tool);
  process.on('SIGTERM', () => stop());
  process.on('SIGINT', () => stop());
  if (isConfined()) whenUnkept(() => stop());
  process.on('uncaughtException', (error) => {
    log.error(`The agent met a fault of its own and ends: ${error.stack ?? error.message}`);
    process.exit(1);
  });
}

/** A service manager starts the next one; elsewhere this process does, as its last act. */
function succeed({ byService, command, pidFile }: Launch): void {
  if (byService) return;
  const [program = process.execPath, ...args] = command;
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  writeFileSync(pidFile, `${child.pid}\n`);
  child.unref();
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: 'string', default: '/' },
      version: { type: 'boolean', short: 'v', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      debug: { type: 'boolean', default: false },
      /** How a server runs it for somebody, with the networks that it may reach. */
      confined: { type: 'string' },
    },
  });
  if (values.confined !== undefined) confine(values.confined);
  if (values.version) process.stdout.write(`${VERSION}\n`);
  else if (values.help) process.stdout.write(USAGE);
  else if (positionals[0] === 'run' && positionals.length === 1) await run(values.root, values.debug);
  else {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
}
