import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findPlant } from '@albedo/simulator/plants/plants';
import { agentRoot, HISTORY_DIRECTORY } from './agents.ts';
import { HistoryWriter } from './history-writer.ts';

/** Part of the time that writing may take, so that live data and people come first. */
const SHARE = 0.3;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Writes the past year and a month of plants below their agents' folders, newest days first and the plants in turn.
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
  while (writers.some((writer) => writer.daysLeft > 0)) {
    for (const writer of writers) {
      const startedAt = performance.now();
      writer.writeDay();
      const tookMs = performance.now() - startedAt;
      await sleep(Math.min(LONGEST_PAUSE_MS, tookMs * (1 / SHARE - 1)));
    }
    process.stdout.write(`${writers.map((writer) => writer.daysLeft).join(' ')} days left\n`);
  }
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
