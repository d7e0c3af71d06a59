import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Claim, DYNAMIC_HEADER, type Edge, lineOf, type Plant, range } from './plant.ts';

const text = (table: string, from: number, to: number, end = '\n'): string =>
  range(from, to)
    .map((n) => lineOf(table, n) + end)
    .join('');

/** Another name, and the time of the last line as with `gzip`, that of the packing as with `gzip -c`, or one that says nothing. */
function pack(file: string, at: number | 'last line' | 'now'): void {
  const { mtimeMs } = statSync(file);
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
  const time = at === 'last line' ? mtimeMs / 1000 : at;
  if (time !== 'now') utimesSync(`${file}.gz`, time, time);
  rmSync(file);
}

/** Waits for the last rows; what is lost of them is told better by who judges the claims. */
const arrived = (edge: Edge, table: string, events: number): Promise<void> =>
  edge.stored(table, events).catch(() => {});

const claimOf =
  (edge: Edge) =>
  (table: string, written: number[], more: Partial<Claim> = {}): Claim => ({
    device: edge.agent.device.id,
    table,
    written,
    ...more,
  });

/** Rotations of files that are alike, linked, packed, odd in their bytes, or end without a newline, while the agent is down. */
export async function alikeFiles(plant: Plant, name: string): Promise<Claim[]> {
  const tables = ['equal', 'middle', 'open', 'linked', 'pointed', 'huge', 'dynmixed'];
  const edge = await plant.edge(name, tables);
  const files = Object.fromEntries(tables.map((table) => [table, edge.file(table)])) as Record<
    string,
    string
  >;
  const at = (table: string) => files[table] ?? '';
  let clock = Date.now() / 1000 - 10_000;
  const put = (file: string, what: string) => {
    clock += 10;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, what);
    utimesSync(file, clock, clock);
  };
  const add = (file: string, what: string) => {
    clock += 10;
    appendFileSync(file, what);
    utimesSync(file, clock, clock);
  };
  const turn = (file: string) => renameSync(file, `${file}.2`);
  const filler = `# ${'as before '.repeat(800)}\n`;
  const disk = join(edge.agent.root, 'disk');
  mkdirSync(disk);
  // What is followed is a link to a folder, and to a file that has the day in its name.
  put(join(disk, 'linked.log'), text('linked', 0, 40));
  symlinkSync(join(disk, 'linked.log'), at('linked'));
  put(join(disk, 'day-1.log'), text('pointed', 0, 40));
  symlinkSync(join(disk, 'day-1.log'), at('pointed'));
  put(at('equal'), `# the same each day\n${text('equal', 0, 100)}`);
  put(at('middle'), filler + text('middle', 0, 40));
  put(at('open'), text('open', 0, 40));
  put(at('huge'), text('huge', 0, 40));
  put(at('dynmixed'), `\uFEFF${DYNAMIC_HEADER}\r\n${text('dynmixed', 0, 40, '\r\n')}`);
  edge.start();
  await arrived(edge, 'equal', 100);
  for (const table of tables.slice(1)) await arrived(edge, table, 40);
  await edge.kill();

  // Twice the same lines again, and once more in the file that is followed.
  turn(at('equal'));
  put(`${at('equal')}.1`, `# the same each day\n${text('equal', 0, 100)}`);
  put(at('equal'), `# the same each day\n${text('equal', 0, 100)}`);
  // Of one size, with the same beginning and the same end.
  add(at('middle'), text('middle', 40, 60));
  turn(at('middle'));
  put(`${at('middle')}.1`, filler + text('middle', 1060, 1100) + filler);
  put(at('middle'), filler + text('middle', 1100, 1140) + filler);
  // Each file ends in the middle of a line.
  add(at('open'), `${text('open', 40, 60)}99`);
  turn(at('open'));
  put(`${at('open')}.1`, `${text('open', 60, 90)}99`);
  put(at('open'), text('open', 90, 120));
  add(join(disk, 'linked.log'), text('linked', 40, 60));
  renameSync(join(disk, 'linked.log'), join(disk, 'linked.log.1'));
  put(join(disk, 'linked.log'), text('linked', 60, 120));
  add(join(disk, 'day-1.log'), text('pointed', 40, 60));
  put(join(disk, 'day-2.log'), text('pointed', 60, 120));
  rmSync(at('pointed'));
  symlinkSync(join(disk, 'day-2.log'), at('pointed'));
  // A line that is longer than any may be, in a file that is packed.
  add(at('huge'), `${text('huge', 40, 60)}${'7'.repeat(1_500_000)}\n${text('huge', 60, 70)}`);
  turn(at('huge'));
  pack(`${at('huge')}.2`, clock);
  put(`${at('huge')}.1`, `${'7'.repeat(1_100_000)}\n${text('huge', 70, 100)}`);
  pack(`${at('huge')}.1`, clock);
  put(at('huge'), text('huge', 100, 120));
  // Files that were put together: mark and header stand in the middle too.
  const day = join(dirname(at('dynmixed')), '2024-03-01.csv');
  add(
    at('dynmixed'),
    `${text('dynmixed', 40, 50, '\r\n')}\uFEFF# Datetime(date),mode(keyword),n(integer)\r\n${range(50, 70)
      .map((n) => lineOf('dynmixed', n).replace(',', ',on,'))
      .join('\r\n')}\r\n\uFEFF${DYNAMIC_HEADER}\n${text('dynmixed', 70, 80)}`,
  );
  copyFileSync(at('dynmixed'), day);
  utimesSync(day, clock, clock);
  rmSync(at('dynmixed'));
  put(at('dynmixed'), `\uFEFF${DYNAMIC_HEADER}\r\n${text('dynmixed', 80, 120, '\r\n')}`);
  edge.start();
  await arrived(edge, 'equal', 300);
  await arrived(edge, 'middle', 140);
  await arrived(edge, 'open', 120);
  await arrived(edge, 'linked', 120);
  await arrived(edge, 'pointed', 120);
  await arrived(edge, 'huge', 120);
  await arrived(edge, 'dynmixed', 120);
  const claim = claimOf(edge);
  const hundred = range(0, 100);
  return [
    claim('equal', [...hundred, ...hundred, ...hundred]),
    claim('middle', [...range(0, 60), ...range(1060, 1140)]),
    claim('open', range(0, 120), { setAside: 2 }),
    claim('linked', range(0, 120)),
    claim('pointed', range(0, 120)),
    claim('huge', range(0, 120), { setAside: 2 }),
    claim('dynmixed', range(0, 120), { setAside: 0 }),
  ];
}

/** Rotations under the eyes of the agent, and under kills of it, by programs that do not stop writing. */
export async function busyFiles(plant: Plant, name: string, random: () => number): Promise<Claim[]> {
  const edge = await plant.edge(name, ['late', 'unlinked', 'cutkill', 'zipped']);
  const begin = (table: string) => {
    mkdirSync(dirname(edge.file(table)), { recursive: true });
    edge.write(table, 0, 20);
  };
  const tables = ['late', 'unlinked', 'cutkill', 'zipped'];
  for (const table of tables) begin(table);
  edge.start();
  for (const table of tables) await arrived(edge, table, 20);
  await Promise.all([stillWritten(edge), afterUnlink(edge)]);
  await cutWhileKilled(edge, random);
  const claim = claimOf(edge);
  return [
    claim('late', range(0, 160)),
    claim('unlinked', range(0, 80)),
    claim('cutkill', range(0, 20 + 6 * 40)),
    claim('zipped', range(0, 20 + 6 * 30)),
  ];
}

/** At midnight the name goes to another file, and the program goes on with the old one for a while. */
async function stillWritten(edge: Edge): Promise<void> {
  const file = edge.file('late');
  const old = openSync(file, 'a');
  renameSync(file, `${file}.1`);
  writeFileSync(file, text('late', 100, 120));
  for (let n = 20; n < 60; n += 10) {
    writeSync(old, text('late', n, n + 10));
    await sleep(700);
  }
  // Also over a start of the agent.
  await edge.kill();
  writeSync(old, text('late', 60, 80));
  edge.start();
  await sleep(1500);
  writeSync(old, text('late', 80, 100));
  closeSync(old);
  appendFileSync(file, text('late', 120, 160));
  await arrived(edge, 'late', 160);
}

/** A file without a name goes on for as long as its writer has it open. */
async function afterUnlink(edge: Edge): Promise<void> {
  const file = edge.file('unlinked');
  const old = openSync(file, 'a');
  rmSync(file);
  writeSync(old, text('unlinked', 20, 40));
  await sleep(1200);
  writeSync(old, text('unlinked', 40, 60));
  await sleep(500);
  closeSync(old);
  writeFileSync(file, text('unlinked', 60, 80));
}

/** Kills at any moment, with files that are copied and cut, or renamed and packed, before and after. */
async function cutWhileKilled(edge: Edge, random: () => number): Promise<void> {
  const [cut, zipped] = [edge.file('cutkill'), edge.file('zipped')];
  const time = random() < 0.5 ? 'last line' : 'now';
  for (let round = 0; round < 6; round++) {
    const n = 20 + round * 40;
    const z = 20 + round * 30;
    appendFileSync(cut, text('cutkill', n, n + 20));
    appendFileSync(zipped, text('zipped', z, z + 20));
    await sleep(random() * 500);
    if (random() < 0.7) await edge.kill();
    // None is taken away, however long the agent needs to start.
    for (let kept = round; kept > 0; kept--) {
      renameSync(`${cut}.${kept}`, `${cut}.${kept + 1}`);
      renameSync(`${zipped}.${kept}.gz`, `${zipped}.${kept + 1}.gz`);
    }
    copyFileSync(cut, `${cut}.1`);
    truncateSync(cut, 0);
    appendFileSync(cut, text('cutkill', n + 20, n + 40));
    renameSync(zipped, `${zipped}.1`);
    appendFileSync(`${zipped}.1`, text('zipped', z + 20, z + 25));
    writeFileSync(zipped, text('zipped', z + 25, z + 30));
    pack(`${zipped}.1`, time);
    if (!edge.agent.program.isRunning) edge.start();
    await sleep(random() * 1500);
  }
  await arrived(edge, 'cutkill', 20 + 6 * 40);
  await arrived(edge, 'zipped', 20 + 6 * 30);
}
