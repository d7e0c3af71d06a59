/** `npm start`: builds stale parts, then runs the demo (the cloud alone if ALBEDO_DEMO is 0); `--reset` starts over. */
import { fileURLToPath } from 'node:url';
import { resetData } from '../demo/src/reset.ts';
import { readSettings } from '../demo/src/settings.ts';
import { buildStale } from './build.ts';
import { supervise } from './supervise.ts';

try {
  if (process.argv.includes('--reset')) resetData(readSettings(process.env).dataDir);
  await buildStale((text) => process.stdout.write(`${text}\n`));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
const isDemo = !['0', 'false', 'off', 'no'].includes((process.env.ALBEDO_DEMO ?? '1').trim().toLowerCase());
if (isDemo) await import('../demo/main.ts');
else {
  const server = fileURLToPath(new URL('../apps/cloud/src/main.ts', import.meta.url));
  process.exit(await supervise(server, (text) => process.stderr.write(`${text}\n`)));
}
