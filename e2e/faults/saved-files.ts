import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Claim, DYNAMIC_HEADER, type Edge, lineOf, type Plant, range } from './plant.ts';

const text = (table: string, from: number, to: number): string =>
  range(from, to)
    .map((n) => `${lineOf(table, n)}\n`)
    .join('');

/** All under another name, then in the place of the file. */
function save(file: string, what: string): void {
  writeFileSync(`${file}~new`, what);
  renameSync(`${file}~new`, file);
}

const ROUNDS = 6;
const NEW = 25;

/**
 * Files that are saved as a whole each time, or cut to their last lines, or packed one turn later, and folders that move to
 * another disk, with kills of the agent at any moment.
 */
export async function savedFiles(plant: Plant, name: string, random: () => number): Promise<Claim[]> {
  const tables = ['saved', 'ring', 'dynsaved', 'delayed', 'moved'];
  const edge = await plant.edge(name, tables);
  const count = (round: number) => 40 + round * NEW;
  for (const table of tables) {
    mkdirSync(dirname(edge.file(table)), { recursive: true });
    writeFileSync(
      edge.file(table),
      (table.startsWith('dyn') ? `${DYNAMIC_HEADER}\n` : '') + text(table, 0, 40),
    );
  }
  edge.start();
  for (const table of tables) await edge.stored(table, 40);
  for (let round = 1; round <= ROUNDS; round++) {
    const isDown = random() < 0.5;
    if (isDown) await edge.kill();
    const [from, to] = [count(round - 1), count(round)];
    save(edge.file('saved'), text('saved', 0, to));
    save(edge.file('ring'), text('ring', from - 30, to));
    save(edge.file('dynsaved'), `${DYNAMIC_HEADER}\n${text('dynsaved', 0, to)}`);
    delay(edge.file('delayed'), text('delayed', from, to), round);
    if (round % 2 === 0) move(edge, round);
    writeFileSync(edge.file('moved'), text('moved', from, to), { flag: 'a' });
    await sleep(random() * 700);
    if (!isDown && random() < 0.5) await edge.kill();
    if (!edge.agent.program.isRunning) edge.start();
    // Each look finds one change of a folder; what comes between two is told apart by the unit tests.
    for (const table of ['saved', 'ring', 'dynsaved', 'moved']) await edge.stored(table, to).catch(() => {});
  }
  await edge.stored('delayed', count(ROUNDS)).catch(() => {});
  const device = edge.agent.device.id;
  return tables.map((table) => ({ device, table, written: range(0, count(ROUNDS)) }));
}

/** As `delaycompress`: what was renamed in the last turn is packed in this one. */
function delay(file: string, what: string, round: number): void {
  const at = Date.now() / 1000;
  for (let n = round; n > 2; n--) renameSync(`${file}.${n - 1}.gz`, `${file}.${n}.gz`);
  if (round > 1) {
    writeFileSync(`${file}.2.gz`, gzipSync(readFileSync(`${file}.1`)));
    utimesSync(`${file}.2.gz`, at - 1, at - 1);
    rmSync(`${file}.1`);
  }
  renameSync(file, `${file}.1`);
  utimesSync(`${file}.1`, at, at);
  writeFileSync(file, what);
}

/** The file lies on another disk from now on, and a second name of the old one stays where it was. */
function move(edge: Edge, round: number): void {
  const file = edge.file('moved');
  const disk = join(edge.agent.root, `disk-${round}`);
  mkdirSync(disk);
  copyFileSync(file, join(disk, 'moved.log'));
  mkdirSync(join(edge.agent.root, 'kept'), { recursive: true });
  linkSync(realpathSync(file), join(edge.agent.root, 'kept', `round-${round}`));
  rmSync(file);
  symlinkSync(join(disk, 'moved.log'), file);
}
