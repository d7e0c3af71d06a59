import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPlant } from '@albedo/simulator/plants/plants';
import { agentRoot, HISTORY_DIRECTORY } from './agents.ts';
import { Pace } from './history-pace.ts';
import { HistoryProgress, progressFile } from './history-progress.ts';
import { HistoryWriter } from './history-writer.ts';

/**
 * Writes the past year and a month of plants below their agents' folders, newest days first and the plants in turn. The last day
 * is written as fast as possible, older days only while this machine has little else to do.
 *
 * `--live-from` (epoch ms) is where live data begins; what an earlier start noted comes first.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      plant: { type: 'string', multiple: true, default: [] },
      'live-from': { type: 'string' },
    },
  });
  const liveFrom = Number(values['live-from']);
  if (!values.data || values.plant.length === 0 || !Number.isFinite(liveFrom)) {
    throw new Error('usage: history.ts --data FOLDER --plant NAME [--plant NAME ...] --live-from EPOCH_MS');
  }
  const writers: HistoryWriter[] = [];
  for (const slug of values.plant) {
    const directory = join(agentRoot(values.data, slug), HISTORY_DIRECTORY);
    writers.push(new HistoryWriter(findPlant(slug), directory, rememberedLiveFrom(directory, liveFrom)));
  }
  for (const writer of writers) await writer.start();
  const sizes = writers.map(({ size }) => size);
  const progress = new HistoryProgress({
    path: progressFile(values.data),
    all: sizes.reduce((sum, { lines }) => sum + lines, 0),
    days: Math.max(...sizes.map(({ days }) => days)),
  });
  const pace = new Pace();
  const tell = () => progress.tell(linesLeftOf(writers), wholeFromOf(writers));
  tell();
  while (writers.some((writer) => writer.daysLeft > 0)) {
    const isUrgent = writers.some((writer) => writer.isUrgent);
    for (const writer of writers) {
      if (writer.isUrgent !== isUrgent) continue;
      const startedAt = performance.now();
      const lines = writer.writeDay();
      tell();
      if (!isUrgent) await pace.rest(lines, performance.now() - startedAt);
    }
    process.stdout.write(`${writers.map((writer) => writer.daysLeft).join(' ')} days left\n`);
  }
}

const linesLeftOf = (writers: readonly HistoryWriter[]): number =>
  writers.reduce((sum, { linesLeft }) => sum + linesLeft, 0);

function wholeFromOf(writers: readonly HistoryWriter[]): number | null {
  const froms = writers.map(({ wholeFrom }) => wholeFrom);
  return froms.reduce(
    (latest, from) => (latest === null || from === null ? null : Math.max(latest, from)),
    0,
  );
}

/** The first start decides where history ends, for good. */
function rememberedLiveFrom(directory: string, liveFrom: number): number {
  const file = join(directory, 'live-from');
  if (existsSync(file)) return Number(readFileSync(file, 'utf8'));
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, String(liveFrom));
  return liveFrom;
}

process.once('SIGTERM', () => process.exit(0));
process.once('SIGINT', () => process.exit(0));
await main();
