/**
 * `npm start`: builds what is stale, then runs the demo, or the cloud alone when ALBEDO_DEMO is 0. This file itself
 * keeps to what an old Node can at least refuse politely.
 */
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Albedo needs Node 24, and this is ${process.versions.node}. "npm ci" brings Node 24 with it; then use "npm start".\n`,
  );
  process.exit(1);
}

const { buildStale } = await import('./build.ts');
try {
  await buildStale((text) => process.stdout.write(`${text}\n`));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
const isDemo = !['0', 'false', 'off', 'no'].includes((process.env.ALBEDO_DEMO ?? '1').trim().toLowerCase());
await import(isDemo ? '../demo/main.ts' : '../apps/cloud/src/main.ts');
