/** Bundles the agent into one file and puts beside it what its pack carries: `npm run build -w apps/agent`. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { VERSION } from './src/version.ts';

const here = import.meta.dirname;
const dist = join(here, 'dist');
mkdirSync(dist, { recursive: true });

/**
 * Parts of the MQTT client that an agent never uses (web sockets, proxies, timers of browsers) are left out, and its
 * copy of Node's streams is replaced by the original.
 */
const UNUSED = new Set(['ws', 'socks', 'worker-timers']);
const lean: Plugin = {
  name: 'lean',
  resolveId(id) {
    if (UNUSED.has(id)) return { id: `\0unused:${id}` };
    return id === 'readable-stream' ? { id: 'node:stream', external: true } : null;
  },
  load(id) {
    return id.startsWith('\0unused:') ? 'export default {};' : null;
  },
  transform(code, id) {
    if (!id.endsWith('mqtt-packet/writeToStream.js')) return null;
    // A table of 65,536 small buffers that spares a busy broker some work costs an agent 8 MB.
    const lean = code
      .replace('let writeNumber = writeNumberCached', 'let writeNumber = writeNumberGenerated')
      .replace('let toGenerate = true', 'let toGenerate = false');
    if (lean === code) throw new Error('mqtt-packet has changed: look again how it caches numbers');
    return lean;
  },
};

/** One file each: the agent, and the tools that it brings. */
const PROGRAMS = { agent: 'src/main.ts', ardpkg: 'src/ardpkg/main.ts', albedoctl: 'src/albedoctl/main.ts' };
for (const [program, input] of Object.entries(PROGRAMS)) {
  const bundle = await rolldown({
    input: join(here, input),
    platform: 'node',
    logLevel: 'warn',
    plugins: program === 'agent' ? [lean] : [],
    // Speeds up MQTT a little where it happens to be installed; an agent has no native parts.
    external: ['bufferutil', 'utf-8-validate'],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: true });
  await bundle.close();
  // One character beyond Latin-1 makes V8 keep the whole text with two bytes for each.
  const code = output[0].code.replace(
    /[\u0100-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(join(dist, `${program}.mjs.new`), code);
  renameSync(join(dist, `${program}.mjs.new`), join(dist, `${program}.mjs`));
}

for (const name of ['install.sh', 'albedo.service']) copyFileSync(join(here, 'pack', name), join(dist, name));
chmodSync(join(dist, 'install.sh'), 0o755);

// The compiled part of the terminal, for each processor and each Node that may run the agent. Its library says which.
const FIRST_ABI = 137;
const library = dirname(
  createRequire(import.meta.url).resolve('@homebridge/node-pty-prebuilt-multiarch/package.json'),
);
rmSync(join(dist, 'pty'), { recursive: true, force: true });
for (const arch of ['x64', 'arm64', 'arm']) {
  const from = join(library, 'prebuilds', `linux-${arch}`);
  mkdirSync(join(dist, 'pty', arch), { recursive: true });
  for (const name of readdirSync(from)) {
    const abi = Number(/^node\.abi(\d+)\.node$/.exec(name)?.[1]);
    if (abi >= FIRST_ABI) copyFileSync(join(from, name), join(dist, 'pty', arch, name));
  }
}

writeFileSync(join(dist, 'version.json'), `${JSON.stringify({ version: VERSION })}\n`);
