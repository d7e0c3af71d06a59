import { Worker } from 'node:worker_threads';
import { CommandError } from '../command-line/command.ts';
import type { Source, Wanted, Written } from './backup.archive.ts';

export interface ToWrite extends Wanted {
  /** Folder or bucket. */
  to: string;
  name: string;
  sources: Source[];
  /** What is of no more use afterwards, however it ends. */
  leftovers: readonly string[];
}

export type WriterReport =
  | { written: Written }
  | { failed: { message: string; stack: string | undefined; isForPeople: boolean } };

const THREAD = new URL('./backup.thread.ts', import.meta.url);

/** Writes a backup in a thread of its own: reading, checksums and the seal would keep the server from what comes in. */
export function writeBeside(wanted: ToWrite): Promise<Written> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData: wanted, execArgv: [] });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread that writes the backup ended.')));
    thread.once('message', (report: WriterReport) => {
      if ('written' in report) return resolve(report.written);
      const { message, stack, isForPeople } = report.failed;
      const error = isForPeople ? new CommandError(message) : new Error(message);
      reject(Object.assign(error, { stack }));
    });
  });
}
