import { resolve } from 'node:path';
import { CommandError, type Say } from './command-line/command.ts';
import { chooseTls } from './config/tls.ts';

/** Commands for whoever runs the server, and the client of tunnels. Each loads only what it needs. */
const USAGE = `albedo audit verify                              look whether the audit logs are whole
albedo audit verify --file <export> [--key <pem>]  the same of an export
albedo backup create [--to <folder or bucket>] [--recipient <age1…>]   a backup of the running server
                     [--incremental]                                   of what is new since the last whole one
albedo backup verify <backup> --identity <key file>                    read it, and compare every checksum
albedo backup restore <backup> --identity <key file> --to <folder>     make a data folder of it
albedo code export --workgroup <name> [--kinds <kind,…>]               labels, machines, entities, KPIs … as YAML
albedo code plan <file> --workgroup <name> [--prune]                   what a file would change
albedo code apply <file> --workgroup <name> [--prune]                  make it so, all or nothing
albedo tunnel <cloud> [--port <port>]              listen here, and lead to a port in a plant (ALBEDO_TUNNEL)
albedo keys new                                   print a new key that can seal the secrets of an installation
albedo keys rotate                                seal all secrets with another key
albedo keys sessions [--at-once]                  another key for sessions and API tokens, from the next start on
albedo keys audit|data|forgery|sso [--at-once]    the same for exports of the audit log, sealed records,
                                                  anti-forgery tokens, single sign-on
albedo keys authority --at-once                   another authority of devices; all of them need new keys
`;

chooseTls();

// Whoever reads only the first lines has what they wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const say: Say = (line) => void process.stdout.write(`${line}\n`);

async function run([area, word, ...args]: string[]): Promise<number> {
  const command = `${area} ${word}`;
  if (command === 'audit verify') return auditVerify(args);
  if (command === 'backup create')
    return onServer(command, args, alone('it makes the backup while it runs.'));
  if (command === 'code export') return onServer(command, args, alone('it answers for the workgroup.'));
  if (command === 'code plan' || command === 'code apply') {
    const [file, ...rest] = args;
    return onServer(
      command,
      // The server may run in another folder.
      file === undefined || file.startsWith('-') ? args : [resolve(file), ...rest],
      alone('it knows what the workgroup has.'),
    );
  }
  if (command === 'backup verify' || command === 'backup restore') {
    const { restoreBackup, verifyBackup } = await import('./backups/backup.command.ts');
    return word === 'verify' ? verifyBackup(args, say) : restoreBackup(args, say);
  }
  if (area === 'tunnel')
    return (await import('./tunnels/tunnel-client.ts')).runTunnel([word ?? '', ...args], say);
  if (command === 'keys new') {
    say((await import('./secrets/key-ring.ts')).makeKey());
    return 0;
  }
  if (command === 'keys rotate') {
    const { readConfig } = await import('./config/config.ts');
    return (await import('./secrets/keys.command.ts')).rotateKeys(readConfig(process.env), say);
  }
  if (area === 'keys' && word !== undefined) {
    const { readConfig } = await import('./config/config.ts');
    return (await import('./secrets/renew.command.ts')).renewKey(readConfig(process.env), word, args, say);
  }
  process.stdout.write(USAGE);
  return area === undefined || area === 'help' || area === '--help' ? 0 : 2;
}

const alone = (why: string) => async (): Promise<number> => {
  throw new CommandError(`No server runs on this data folder. Start it first: ${why}`);
};

async function auditVerify(args: string[]): Promise<number> {
  const { auditVerify: verify, auditVerifyFile } = await import('./audit/audit.command.ts');
  const code = await auditVerifyFile(args, say);
  if (code !== null) return code;
  return onServer('audit verify', args, async (config) => {
    const { openRecordsAlone } = await import('./command-line/open-records.ts');
    const { AuditStore } = await import('./audit/audit.store.ts');
    const { postgres, close } = await openRecordsAlone(config);
    return verify(new AuditStore(postgres), null)(args, say, new AbortController().signal).finally(close);
  });
}

/** Has the running server do it; `alone` does it where none runs. */
async function onServer(
  command: string,
  args: string[],
  alone: (config: import('./config/config.ts').Config) => Promise<number>,
): Promise<number> {
  const { readConfig } = await import('./config/config.ts');
  const { askServer } = await import('./command-line/control.client.ts');
  const config = readConfig(process.env);
  return (await askServer(resolve(config.dataDir), { command, args }, say)) ?? (await alone(config));
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isKnown = error instanceof CommandError || process.env.LOG_LEVEL !== 'debug';
  process.stderr.write(`${isKnown ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
