import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Claim, DYNAMIC_HEADER, lineOf, type Plant, range } from './plant.ts';

const FIRST = 40;

/** Files that are rotated in every way while the agent does not run. */
export async function rotations(plant: Plant, name: string): Promise<Claim[]> {
  const ways = ['renamed', 'copied', 'packed', 'crlf', 'marked', 'gone', 'dyndays'] as const;
  const edge = await plant.edge(name, [...ways]);
  let clock = Date.now() / 1000 - 10_000;
  const turn = (path: string) => {
    clock += 10;
    utimesSync(path, clock, clock);
  };
  const texts = new Map<string, { end: string; mark: string }>([
    ['crlf', { end: '\r\n', mark: '' }],
    ['marked', { end: '\n', mark: '\uFEFF' }],
  ]);
  const textOf = (way: string, from: number, to: number, isNew: boolean) => {
    const { end, mark } = texts.get(way) ?? { end: '\n', mark: '' };
    const head = way.startsWith('dyn') && isNew ? DYNAMIC_HEADER + end : '';
    const lines = range(from, to).map((n) => lineOf(way, n) + end);
    return (isNew ? mark : '') + head + lines.join('');
  };
  const put = (way: string, from: number, to: number, path = edge.file(way)) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(way, from, to, true));
    turn(path);
  };
  const add = (way: string, from: number, to: number) => {
    appendFileSync(edge.file(way), textOf(way, from, to, false));
    turn(edge.file(way));
  };
  const day = (n: number, from: number, to: number) => {
    put('dyndays', from, to, join(dirname(edge.file('dyndays')), `2024-03-0${n}.csv`));
    put('dyndays', from, to);
  };
  for (const way of ways) if (way !== 'dyndays') put(way, 0, FIRST);
  day(1, 0, FIRST);
  edge.start();
  for (const way of ways) await edge.stored(way, FIRST);
  await edge.kill();

  for (const way of ['renamed', 'crlf', 'marked', 'packed'] as const) {
    const file = edge.file(way);
    add(way, 40, 60);
    renameSync(file, `${file}.2`);
    put(way, 60, 110);
    renameSync(file, `${file}.1`);
    put(way, 110, 150);
  }
  for (const file of ['.2', '.1'].map((end) => edge.file('packed') + end)) {
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
    const { mtime } = statSync(file);
    utimesSync(`${file}.gz`, mtime, mtime);
    rmSync(file);
  }
  add('copied', 40, 60);
  copyFileSync(edge.file('copied'), `${edge.file('copied')}.1`);
  turn(`${edge.file('copied')}.1`);
  truncateSync(edge.file('copied'), 0);
  add('copied', 60, 150);
  add('gone', 40, 60);
  rmSync(edge.file('gone'));
  put('gone', 60, 150);
  day(1, 0, 70);
  day(2, 70, 100);
  day(3, 100, 130);
  day(4, 130, 150);
  edge.start();
  for (const way of ways) await edge.stored(way, way === 'gone' ? 130 : 150);
  const device = edge.agent.device.id;
  return ways.map((table) => ({
    device,
    table,
    written: range(0, 150),
    ...(table === 'gone' ? { causes: ['file_lost'] as const, isTold: true } : {}),
  })) as Claim[];
}
