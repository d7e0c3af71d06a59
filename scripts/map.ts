/** Writes docs/map.md and the pages in docs/map: where each item of the specification is, and the test that shows it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { faultsOf, filesOf, mapPages } from './map/pages.ts';
import { HOUSE } from './map/source.ts';

const pages = await mapPages();
const faults = faultsOf(pages);
for (const [file, text] of Object.entries(filesOf(pages))) {
  mkdirSync(dirname(join(HOUSE, file)), { recursive: true });
  writeFileSync(join(HOUSE, file), text);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
