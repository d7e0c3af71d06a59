/**
 * Bundles the plugin of the current folder into one file, as its package script says: `node ../kit/bundle.ts`.
 *
 * One that speaks Modbus brings the compiled part of `serialport` for each processor and C library that agents run on,
 * in `dist/serial/<processor>/`, and loads it from there: a device has no folder of libraries.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const PROCESSORS = ['x64', 'arm64', 'arm'];
/** Of the modules that look for the compiled part, in the library and in the bundle. */
const LOADER = 'node-gyp-build';

const folder = process.cwd();
const dist = join(folder, 'dist');
let isSerial = false;

/** Takes the first compiled part that this machine can load; those for another C library fail. */
const LOAD = `
  const { readdirSync } = require('node:fs');
  const { join } = require('node:path');
  module.exports = () => {
    const folder = join(import.meta.dirname, 'serial', process.arch);
    let last = new Error('there is none for ' + process.arch);
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.node')).sort()) {
      try {
        return require(join(folder, name));
      } catch (error) {
        last = error;
      }
    }
    throw last;
  };
`;

const serial: Plugin = {
  name: 'serial',
  resolveId: (id) => (id === LOADER ? { id: `\0${LOADER}` } : null),
  load: (id) => {
    if (id !== `\0${LOADER}`) return null;
    isSerial = true;
    return { code: LOAD, moduleSideEffects: false };
  },
  transform(code, id) {
    if (id.endsWith('bindings-cpp/dist/serialport-bindings.js'))
      return code.replace(/\(0, path_1\.join\)\(__dirname[^)]*\)/, '');
    if (!id.endsWith('modbus-serial/index.js')) return null;
    // Loaded with the first serial line: most plugins never open one.
    const lean = code.replace(/module\.exports\.(?:RTUBufferedPort|ServerSerial) = require\([^)]*\);/g, '');
    if (lean === code) throw new Error('modbus-serial has changed: look again how it loads serial lines');
    return lean;
  },
};

const bundle = await rolldown({
  input: join(folder, 'src/main.ts'),
  platform: 'node',
  logLevel: 'warn',
  plugins: [serial],
});
const { output } = await bundle.generate({
  format: 'esm',
  codeSplitting: false,
  minify: true,
  banner: '#!/usr/bin/env node',
});
await bundle.close();
mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, `${basename(folder).replaceAll('-', '_')}_albedo.mjs`), output[0].code);

rmSync(join(dist, 'serial'), { recursive: true, force: true });
if (isSerial) {
  const { resolve } = createRequire(import.meta.url);
  const library = dirname(
    createRequire(resolve('serialport')).resolve('@serialport/bindings-cpp/package.json'),
  );
  for (const processor of PROCESSORS) {
    const from = join(library, 'prebuilds', `linux-${processor}`);
    mkdirSync(join(dist, 'serial', processor), { recursive: true });
    // What ARMv6 runs, ARMv7 runs too, and the other way round it would crash.
    for (const name of readdirSync(from).filter((one) => !one.includes('armv7.glibc'))) {
      const plain = name.replace('@serialport+bindings-cpp.', 'serialport-').replace('.musl', '-musl');
      copyFileSync(join(from, name), join(dist, 'serial', processor, plain.replace('.glibc', '-glibc')));
    }
  }
}
