/** Rotations around the moments at which the agent stops: what it had read by then is known again, whatever became of it. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import {
  add,
  at,
  dynamic,
  HEADER,
  lines,
  place,
  put,
  rows,
  stop,
  tail,
  test,
  until,
  written,
} from '../testing/followed-files.ts';

/** Until the agent has left a file whose place was taken. */
const LEFT_MS = 1500;

/** Gives all rotated files the next number, as `logrotate` does. */
function shift(): void {
  for (const end of ['', '.gz'])
    for (let nth = 9; nth > 0; nth--) {
      const name = at(`meter.log.${nth}${end}`);
      if (existsSync(name)) renameSync(name, at(`meter.log.${nth + 1}${end}`));
    }
}

function rename(): void {
  shift();
  renameSync(at('meter.log'), at('meter.log.1'));
}

function copyAndCut(): void {
  shift();
  copyFileSync(at('meter.log'), at('meter.log.1'));
  written('meter.log.1');
  truncateSync(at('meter.log'), 0);
}

/** With the time of the last line, as `gzip` does it. */
function pack(name: string): void {
  const { atime, mtime } = statSync(at(name));
  writeFileSync(at(`${name}.gz`), gzipSync(readFileSync(at(name))));
  utimesSync(at(`${name}.gz`), atime, mtime);
  rmSync(at(name));
}

async function tenRead(): Promise<void> {
  put('meter.log', lines(0, 10));
  tail();
  await until(10);
}

/** Ten lines of the file that has the name now were read, and then ten more of the one before, which is the newest by its time. */
async function writtenOn(): Promise<void> {
  await tenRead();
  const held = openSync(at('meter.log'), 'a');
  rename();
  put('meter.log', lines(10, 20));
  await until(20);
  await sleep(LEFT_MS);
  writeSync(held, lines(20, 30));
  written('meter.log.1');
  await until(30);
  closeSync(held);
}

test('a file that was cut, and cut again while the agent did not run, before it read of it', async () => {
  await tenRead();
  stop();
  add('meter.log', lines(10, 20));
  copyAndCut();
  tail();
  await until(20);
  await sleep(LEFT_MS);
  stop();
  add('meter.log', lines(20, 30));
  copyAndCut();
  add('meter.log', lines(30, 40));
  tail();
  await until(40);
  expect(place().faults).toEqual([]);
});

test('a file that is cut while those before it are read, and stays empty, is not told to have lost something', async () => {
  await tenRead();
  stop();
  add('meter.log', lines(10, 20));
  copyAndCut();
  add('meter.log', lines(20, 25));
  tail();
  await sleep(100);
  copyAndCut();
  await until(25);
  await sleep(LEFT_MS);
  expect(place().faults).toEqual([]);
});

test('files that were packed while the agent did not run, after one that was packed empty', async () => {
  await tenRead();
  for (let empty = 0; empty < 2; empty++) {
    rename();
    put('meter.log', '');
    await sleep(LEFT_MS);
  }
  stop();
  pack('meter.log.1');
  add('meter.log', lines(10, 20));
  rename();
  pack('meter.log.1');
  put('meter.log', lines(20, 30));
  tail();
  await until(30);
  expect(place().faults).toEqual([]);
});

test('a file that was written on after another one had its place, and then packed, is not read again', async () => {
  await writtenOn();
  stop();
  pack('meter.log.1');
  rename();
  put('meter.log', lines(30, 40));
  tail();
  await until(40);
});

test('an empty file that had lost its place, and was written on after the agent began', async () => {
  await tenRead();
  rename();
  put('meter.log', '');
  await sleep(LEFT_MS);
  stop();
  rename();
  put('meter.log', '');
  const held = openSync(at('meter.log'), 'a');
  rename();
  put('meter.log', lines(10, 20));
  tail();
  await until(20);
  writeSync(held, lines(20, 30));
  await until(30);
  closeSync(held);
  expect(place().faults).toEqual([]);
});

test('a file that was written on after another one had its place is not read again when two others had it meanwhile', async () => {
  await writtenOn();
  rename();
  put('meter.log', lines(30, 40));
  // The file that was written on is the newest by its time.
  written('meter.log.2');
  await until(40);
  await sleep(LEFT_MS);
  stop();
  rename();
  put('meter.log', lines(40, 50));
  tail();
  await until(50);
});

test('files that come and go while nothing stays at the path do not wait for the next one', async () => {
  await tenRead();
  rename();
  await sleep(LEFT_MS);
  put('meter.log', lines(10, 20));
  rename();
  put('meter.log', lines(20, 30));
  rename();
  pack('meter.log.2');
  await until(30);
  expect(place().faults).toEqual([]);
});

test('files that were moved into a folder of their own while the agent did not run', async () => {
  put('meter.log', lines(0, 50));
  put('other/meter.log.1', lines(900, 950));
  tail();
  await until(50);
  stop();
  mkdirSync(at('old'));
  const move = (name: string) => renameSync(at('meter.log'), at(`old/${name}`));
  add('meter.log', lines(50, 60));
  move('meter.log.2');
  pack('old/meter.log.2');
  put('meter.log', lines(60, 70));
  move('meter.log.1');
  put('other/meter.log', lines(950, 990));
  put('meter.log', lines(70, 80));
  tail();
  await until(80);
  expect(place().faults).toEqual([]);
});

test('a file of which only the header was read, and that was copied, cut and begun with the same header meanwhile', async () => {
  put('t/s/latest.csv', HEADER);
  dynamic();
  await sleep(500);
  stop();
  add('t/s/latest.csv', rows(0, 10));
  copyFileSync(at('t/s/latest.csv'), at('t/s/latest.csv.1'));
  written('t/s/latest.csv.1');
  truncateSync(at('t/s/latest.csv'));
  add('t/s/latest.csv', HEADER + rows(10, 20));
  dynamic();
  await until(20);
  expect(place().faults).toEqual([]);
});

test('a file of which only the header was read, and that was moved into a folder of its own meanwhile', async () => {
  put('t/s/latest.csv', HEADER);
  dynamic();
  await sleep(500);
  stop();
  mkdirSync(at('t/s/old'));
  const move = (name: string) => renameSync(at('t/s/latest.csv'), at(`t/s/old/${name}`));
  move('latest.csv.2');
  put('t/s/latest.csv', HEADER + rows(0, 10));
  move('latest.csv.1');
  put('t/s/latest.csv', HEADER + rows(10, 20));
  dynamic();
  await until(20);
  expect(place().faults).toEqual([]);
});
