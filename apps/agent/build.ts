/** Bundles the agent into one file and puts beside it what its pack carries: `npm run build -w apps/agent`. */
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { VERSION } from './src/version.ts';

const here = import.meta.dirname;
const dist = join(here, 'dist');
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

const bundle = await rolldown({
  input: join(here, 'src/main.ts'),
  platform: 'node',
  logLevel: 'warn',
  // Speeds up MQTT a little where it happens to be installed; an agent has no native parts.
  external: ['bufferutil', 'utf-8-validate'],
});
await bundle.write({ file: join(dist, 'agent.mjs'), format: 'esm', codeSplitting: false, minify: true });
await bundle.close();

for (const name of ['install.sh', 'albedo.service']) copyFileSync(join(here, 'pack', name), join(dist, name));
chmodSync(join(dist, 'install.sh'), 0o755);
writeFileSync(join(dist, 'version.json'), `${JSON.stringify({ version: VERSION })}\n`);
