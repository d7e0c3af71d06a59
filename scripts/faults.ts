/**
 * `npm run faults -- --minutes 30`: everything that injects faults, for so long: random kills, full disks, restored, copied and
 * damaged disks, rotations, clocks, wires, and a cloud that goes back to a backup. Without minutes each runs once, in its long
 * form. `--seed 7` begins with another round; `--only rotations` does one kind of fault alone.
 */
import { parseArgs } from 'node:util';
import { buildStale } from './build.ts';
import { tool } from './testing/run.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const minutes = Number(values.minutes ?? 0);
if (!(minutes >= 0)) throw new Error('--minutes takes a number.');

const env: Record<string, string> = {
  ALBEDO_TEST_LONG: '1',
  // Half of the time for the faults of disks, clocks and wires; a quarter for kills with each of the two brokers.
  ...(minutes > 0 && {
    ALBEDO_FAULTS_MINUTES: String(minutes / 2),
    ALBEDO_ENDURANCE_SECONDS: String(Math.round((minutes * 60) / 4)),
    ALBEDO_IMPORT_ROWS: '1000000',
  }),
  ...(values.seed && { ALBEDO_FAULTS_SEED: values.seed }),
  ...(values.only && { ALBEDO_FAULTS_ONLY: values.only }),
};
const others = ['endurance', 'full-disk', 'outbox-full', 'numbers', 'import-killed', 'recompute-killed'];
// Agents are installed from their pack, as everywhere.
await buildStale((text) => process.stdout.write(`${text}\n`));
const names = values.only ? ['faults'] : ['faults', ...others];
const files = names.map((name) => `e2e/${name}.test.ts`);
const { code } = await tool('vitest', ['run', '--maxWorkers=1', '--disableConsoleIntercept', ...files], {
  env,
});
process.exitCode = code;
