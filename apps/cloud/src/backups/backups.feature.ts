import { parseArgs } from 'node:util';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Command, CommandError } from '../command-line/command.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { defineJob } from '../jobs/job.ts';
import { type BackupBase, keepBase, readBase } from './backup.base.ts';
import type { BackupPlace } from './backup.place.ts';
import { placeAt } from './backup.places.ts';
import { takeSnapshot } from './backup.snapshot.ts';
import { writeBeside } from './backup.writer.ts';
import { backupName, outdated } from './retention.ts';

interface BackupParts {
  config: Config;
  dataDir: string;
  postgres: Postgres;
  /** Links all parts of the telemetry as they are; null where it is a server of its own. */
  freeze: ((name: string) => Promise<void>) | null;
  log: Logger;
}

/** On Sundays everything is written anew, on the other nights what is new since then. */
const WHOLE_ON = 0;

/** Backups of the running server: by command, and every night where the configuration names a place. */
export function openBackups(of: BackupParts): Feature<null> {
  const { backupTo, backupRecipients } = of.config;
  let running: Promise<unknown> = Promise.resolve();

  /** One after the other: they share the staging folder. */
  const create = (to: string, recipients: readonly string[], isIncremental: boolean) => {
    const made = running.catch(() => {}).then(() => makeBackup(of, to, recipients, isIncremental));
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
      const isIncremental = new Date().getUTCDay() !== WHOLE_ON;
      if (backupTo !== null) await create(backupTo, backupRecipients, isIncremental);
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
    create: (
      to: string,
      recipients: readonly string[],
      isIncremental: boolean,
    ) => ReturnType<typeof makeBackup>,
    { backupTo, backupRecipients }: Config,
  ): Command =>
  async (args, say) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        to: { type: 'string' },
        recipient: { type: 'string', multiple: true },
        incremental: { type: 'boolean' },
      },
    });
    const to = values.to ?? backupTo;
    const recipients = values.recipient ?? backupRecipients;
    if (!to) throw new CommandError('Name a folder or a bucket: --to <place>, or ALBEDO_BACKUP_TO.');
    if (recipients.length === 0)
      throw new CommandError(
        'Name who can read it: --recipient <age1…>, or ALBEDO_BACKUP_RECIPIENTS. "age-keygen" makes a key.',
      );
    const { path, files, bytes, tookS } = await create(to, recipients, values.incremental ?? false);
    say(`${path}: ${files} files, ${bytes} bytes, ${tookS.toFixed(1)} s.`);
    return 0;
  };

async function makeBackup(
  { dataDir, postgres, freeze, log }: BackupParts,
  to: string,
  recipients: readonly string[],
  isIncremental: boolean,
): Promise<{ path: string; files: number; bytes: number; tookS: number }> {
  if (freeze === null || postgres.engine !== 'pglite')
    throw new CommandError(
      'Records or telemetry are on servers of their own: back them up with their own tools, and this data folder with them.',
    );
  const at = new Date();
  const place = await placeAt(to);
  try {
    const base = isIncremental ? await baseAt(dataDir, place) : null;
    const { sources, leftovers, end } = await takeSnapshot({ dataDir, postgres, freeze });
    try {
      const name = backupName(at, base?.name);
      const path = place.label(name);
      const wanted = { to, name, recipients, sources, at, base, leftovers };
      const { facts, ...made } = await writeBeside(wanted);
      if (!base) await keepBase(dataDir, { label: path, name, files: facts });
      const tookS = (Date.now() - at.getTime()) / 1000;
      log.info({ path, base: base?.name, ...made, tookS }, 'a backup is made');
      for (const old of outdated(await place.list())) await place.remove(old);
      return { path, ...made, tookS };
    } finally {
      end();
    }
  } finally {
    place.close();
  }
}

/** The last whole backup, where it is still there. */
async function baseAt(dataDir: string, place: BackupPlace): Promise<BackupBase | null> {
  const base = await readBase(dataDir);
  if (!base || base.label !== place.label(base.name)) return null;
  return (await place.list()).includes(base.name) ? base : null;
}
