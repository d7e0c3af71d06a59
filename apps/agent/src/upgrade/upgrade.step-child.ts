/** Installs a version and is killed at one step; the test starts it. */
import { readFileSync } from 'node:fs';
import { upgradeManifest } from '@albedo/contract/upgrades/upgrades.schema';
import { install } from './install.ts';
import { programAt } from './program.ts';

const [link = '', manifestFile = '', bytesFile = '', dieAt = ''] = process.argv.slice(2);
const program = programAt(link);
if (!program) throw new Error('no program');

await install({
  program,
  manifest: upgradeManifest.parse(JSON.parse(readFileSync(manifestFile, 'utf8'))),
  version: '1.0.0',
  incoming: (async function* () {
    const all = readFileSync(bytesFile);
    for (let at = 0; at < all.length; at += 1000) yield all.subarray(at, at + 1000);
  })(),
  trialMinutes: 1,
  launch: { byService: true, command: [], pidFile: '/nonexistent' },
  signal: new AbortController().signal,
  onStep: async (step) => {
    if (step === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
