import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Command, CommandError } from '../command-line/command.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { defineJob } from '../jobs/job.ts';
import { writeBackup } from './backup.archive.ts';
import { takeSnapshot } from './backup.snapshot.ts';
import { backupName, outdated } from './retention.ts';

interface BackupParts {
  config: Config;
  dataDir: string;
  postgres: Postgres;
  /** Links all parts of the telemetry as they are; null where it is a server of its own. */
  freeze: ((name: string) => Promise<void>) | null;
  log: Logger;
}

/** Backups of the running server: by command, and every night where the configuration names a folder. */
export function openBackups(of: BackupParts): Feature<null> {
  const { backupTo, backupRecipients } = of.config;
  let running: Promise<unknown> = Promise.resolve();

  /** One after the other: they share the staging folder. */
  const create = (folder: string, recipients: readonly string[]) => {
    const made = running.catch(() => {}).then(() => makeBackup(of, resolve(folder), recipients));
    running = made;
    return made;
  };

  const nightly = defineJob({
    name: 'backup',
    payload: z.object({}),
    limitS: 4 * 3600,
    retry: { times: 3, afterS: 300, atMostS: 1800 },
    oneAtATime: { key: () => 'backup', waiting: 'one' },
    schedule: { cron: '30 1 * * *', zone: 'UTC', payload: {} },
    run: async () => {
      if (backupTo !== null) await create(backupTo, backupRecipients);
    },
  });

  return {
    name: 'backups',
    service: null,
    commands: { 'backup create': backupCreate(create, of.config) },
    ...(backupTo === null ? {} : { jobs: (jobs) => jobs.add(nightly) }),
  };
}

const backupCreate =
  (
    create: (folder: string, recipients: readonly string[]) => ReturnType<typeof makeBackup>,
    { backupTo, backupRecipients }: Config,
  ): Command =>
  async (args, say) => {
    const { values } = parseArgs({
      args: [...args],
      options: { to: { type: 'string' }, recipient: { type: 'string', multiple: true } },
    });
    const folder = values.to ?? backupTo;
    const recipients = values.recipient ?? backupRecipients;
    if (!folder) throw new CommandError('Name a folder: --to <folder>, or ALBEDO_BACKUP_TO.');
    if (recipients.length === 0)
      throw new CommandError(
        'Name who can read it: --recipient <age1…>, or ALBEDO_BACKUP_RECIPIENTS. "age-keygen" makes a key.',
      );
    const { path, files, bytes, tookS } = await create(folder, recipients);
    say(`${path}: ${files} files, ${bytes} bytes, ${tookS.toFixed(1)} s.`);
    return 0;
  };

async function makeBackup(
  { dataDir, postgres, freeze, log }: BackupParts,
  folder: string,
  recipients: readonly string[],
): Promise<{ path: string; files: number; bytes: number; tookS: number }> {
  if (freeze === null || postgres.engine !== 'pglite')
    throw new CommandError(
      'Records or telemetry are on servers of their own: back them up with their own tools, and this data folder with them.',
    );
  const at = new Date();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { sources, end } = await takeSnapshot({ dataDir, postgres, freeze });
  try {
    const path = join(folder, backupName(at));
    const made = await writeBackup(path, { recipients, sources, at });
    const tookS = (Date.now() - at.getTime()) / 1000;
    log.info({ path, ...made, tookS }, 'a backup is made');
    for (const name of outdated(await readdir(folder))) await rm(join(folder, name), { force: true });
    return { path, ...made, tookS };
  } finally {
    end();
  }
}
