/**
 * What breaks the road besides kills: disks that are restored, copied, cut, full and flipped, files that are rotated in every
 * way while nobody looks, clocks that jump, wires that break, and a cloud that goes back to an older backup. Every fault is
 * injected from outside into programs that run as processes; then the rows are counted in the store itself, by SQL, and
 * compared with what was written and with what the ledger tells.
 *
 * `npm run faults -- --minutes 30` goes on for as long, each round with another seed, every other one on a data folder of an
 * earlier release.
 */
import { expect, test } from 'vitest';
import { releasedFolders } from '../apps/cloud/src/testing/released-folder.ts';
import { judge } from './faults/check.ts';
import { restoredCloud, restoredTogether } from './faults/clouds.ts';
import {
  clonesAndClocks,
  cutAndKilled,
  fullAndPacked,
  fullAndRotated,
  restoredAndRotated,
} from './faults/disk-combinations.ts';
import { clones, flippedBits, fullDisk, restoredState, truncated } from './faults/disks.ts';
import { alikeFiles, busyFiles } from './faults/file-combinations.ts';
import { rotations } from './faults/files.ts';
import { type Claim, Plant } from './faults/plant.ts';
import { brokenWire, clockJumps } from './faults/roads.ts';
import { savedFiles } from './faults/saved-files.ts';
import { randomOf } from './harness/random.ts';
import { whyNoMount } from './harness/small-disk.ts';
import { storedRows } from './harness/stored-rows.ts';

const MINUTES = Number(process.env.ALBEDO_FAULTS_MINUTES ?? 0);
const SEED = Number(process.env.ALBEDO_FAULTS_SEED ?? 1);
const ONLY = process.env.ALBEDO_FAULTS_ONLY;
const isLong = MINUTES > 0 || ONLY !== undefined || process.env.ALBEDO_TEST_LONG === '1';
const refusal = whyNoMount();

type Fault = (plant: Plant, name: string, random: () => number) => Promise<Claim[]>;
const FAULTS: Record<string, Fault> = {
  rotations,
  restoredState,
  clones,
  flippedBits,
  clockJumps,
  brokenWire,
  // Two faults at a time, and what `rotation.test.ts`, `outbox.damage.test.ts` and `full-disk.test.ts` show of the agent alone.
  ...(isLong ? { truncated, alikeFiles, restoredAndRotated, clonesAndClocks } : {}),
  ...(isLong ? { busyFiles, savedFiles, cutAndKilled } : {}),
  ...(refusal === null && isLong ? { fullDisk, fullAndRotated, fullAndPacked } : {}),
  restoredCloud: isLong ? restoredTogether : restoredCloud,
};

async function round(seed: number): Promise<string[]> {
  const plant = new Plant();
  const random = randomOf(seed);
  try {
    const releases = MINUTES > 0 ? await releasedFolders() : [];
    await plant.open(seed % 2 === 0 ? (releases[(seed / 2) % releases.length] ?? null) : null);
    const { restoredCloud: ofAll, ...others } = FAULTS;
    const run = async ([name, fault]: [string, Fault]) => {
      if (ONLY && ONLY !== name) return [];
      const began = Date.now();
      const claims = await fault(plant, name.toLowerCase(), random);
      if (isLong) console.log(`  ${name}: ${Math.round((Date.now() - began) / 1000)} s`);
      return claims;
    };
    // Each to its end, also where one fails: they have programs and disks in the folder of the plant.
    const ended = await Promise.allSettled(Object.entries(others).map(run));
    const made = ended.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
    // The last one, because what the others have stored goes back with it.
    if (ofAll) made.push(await run(['restoredCloud', ofAll]));
    return await judged(plant, made.flat());
  } finally {
    await plant.close();
  }
}

async function judged(plant: Plant, claims: Claim[]): Promise<string[]> {
  const devices = [...new Set(claims.map(({ device }) => device))];
  const ledgers = new Map(
    await Promise.all(devices.map(async (device) => [device, await plant.ledger(device)] as const)),
  );
  await plant.cloud.program.end('SIGTERM');
  const rows = await storedRows(plant.data);
  return claims.flatMap((claim) => {
    const ledger = ledgers.get(claim.device);
    if (!ledger) return [`${claim.table}: no ledger`];
    const faults = judge(claim, rows, ledger);
    if (faults.length > 0) console.log(`The ledger of ${claim.table}: ${JSON.stringify(ledger)}`);
    return faults;
  });
}

test('every row that was written is stored once, or its loss is told with its cause', {
  timeout: (MINUTES + 10) * 60_000,
}, async () => {
  if (refusal) console.log(`Left out: full disks, because file systems cannot be mounted here: ${refusal}`);
  const endsAt = Date.now() + MINUTES * 60_000;
  let seed = SEED;
  do {
    const began = Date.now();
    expect(await round(seed), `seed ${seed}`).toEqual([]);
    if (MINUTES > 0)
      console.log(`seed ${seed}: all agree after ${Math.round((Date.now() - began) / 1000)} s`);
    seed++;
  } while (Date.now() < endsAt);
});
