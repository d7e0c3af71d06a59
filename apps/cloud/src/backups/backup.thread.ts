/** Writes a backup beside the server: `backup.writer.ts` starts it, with what to write. */
import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { CommandError } from '../command-line/command.ts';
import { writeBackup } from './backup.archive.ts';
import { placeAt } from './backup.places.ts';
import type { ToWrite, WriterReport } from './backup.writer.ts';

const { to, name, leftovers, ...wanted } = workerData as ToWrite;

async function written(): Promise<WriterReport> {
  const place = await placeAt(to);
  try {
    return { written: await writeBackup(place, name, wanted) };
  } catch (error) {
    const { message, stack } = error as Error;
    return { failed: { message, stack, isForPeople: error instanceof CommandError } };
  } finally {
    place.close();
    for (const path of leftovers) rmSync(path, { recursive: true, force: true });
  }
}

parentPort?.postMessage(await written());
