import {
  appendFileSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import {
  add,
  at,
  captured,
  dynamic,
  HEADER,
  lines,
  numbers,
  place,
  put,
  rows,
  stop,
  tail,
  test,
  until,
  upTo,
  written,
} from '../testing/followed-files.ts';

test('packed one turn later: renamed first, packed when the next one takes its name', async () => {
  put('meter.log', lines(0, 50));
  tail();
  await until(50);
  stop();
  add('meter.log', lines(50, 70));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(70, 100));
  writeFileSync(at('meter.log.2.gz'), gzipSync(readFileSync(at('meter.log.1'))));
  utimesSync(at('meter.log.2.gz'), statSync(at('meter.log.1')).mtime, statSync(at('meter.log.1')).mtime);
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(100, 130));
  tail();
  await until(130);
  expect(place().faults).toEqual([]);
});

test('copied, cut and packed one turn later', async () => {
  put('meter.log', lines(0, 50));
  tail();
  await until(50);
  stop();
  const cutAndCopy = (next: string) => {
    copyFileSync(at('meter.log'), at('meter.log.1'));
    written('meter.log.1');
    truncateSync(at('meter.log'), 0);
    add('meter.log', next);
  };
  add('meter.log', lines(50, 70));
  cutAndCopy(lines(70, 100));
  writeFileSync(at('meter.log.2.gz'), gzipSync(readFileSync(at('meter.log.1'))));
  utimesSync(at('meter.log.2.gz'), statSync(at('meter.log.1')).mtime, statSync(at('meter.log.1')).mtime);
  cutAndCopy(lines(100, 130));
  tail();
  await until(130);
  expect(place().faults).toEqual([]);
});

/** As programs do it that write the whole file anew, and `rsync`: all of it under another name, then in the place of the file. */
function replace(text: string, name = 'meter.log'): void {
  put(`${name}~new`, text);
  renameSync(at(`${name}~new`), at(name));
}

test('replaced by a file that holds the same and more, while the agent runs and while it does not', async () => {
  put('meter.log', lines(0, 100));
  tail();
  await until(100);
  replace(lines(0, 130));
  await until(130);
  replace(lines(0, 140));
  replace(lines(0, 150));
  await until(150);
  stop();
  replace(lines(0, 170));
  tail();
  await until(170);
  add('meter.log', lines(170, 180));
  replace(lines(0, 190));
  await until(190);
  expect(place().faults).toEqual([]);
  expect(place().outbox?.gaps(10)).toEqual([]);
});

test('replaced by its last lines and more, while the agent runs and while it does not', async () => {
  put('meter.log', lines(0, 100));
  tail();
  await until(100);
  replace(lines(50, 130));
  await until(130);
  stop();
  replace(lines(80, 170));
  tail();
  await until(170);
  expect(place().faults).toEqual([]);
  expect(place().outbox?.gaps(10)).toEqual([]);
});

test('a table that is saved as a whole each time, with its header, or with its last rows only', async () => {
  put('t/s/latest.csv', HEADER + rows(0, 50));
  dynamic();
  await until(50);
  replace(HEADER + rows(0, 70), 't/s/latest.csv');
  await until(70);
  replace(HEADER + rows(40, 90), 't/s/latest.csv');
  await until(90);
  stop();
  replace(HEADER + rows(60, 110), 't/s/latest.csv');
  dynamic();
  await until(110);
  // Of other columns.
  replace(
    `# Datetime(date),mode(keyword),n(integer)\n${rows(110, 120).replaceAll(',', ',on,')}`,
    't/s/latest.csv',
  );
  for (let n = 0; n < 400 && numbers().length < 120; n++) await sleep(20);
  expect(numbers().slice(110)).toEqual(Array(10).fill('on'));
  expect(place().faults).toEqual([]);
});

test('what took the place of a file that was renamed is read, also where it holds the same lines', async () => {
  put('meter.log', lines(0, 100));
  tail();
  await until(100);
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(0, 120));
  await captured([...upTo(100), ...upTo(120)]);
});

test('rotated by a second name: what comes then is read, also where it holds the same lines', async () => {
  put('meter.log', lines(0, 100));
  tail();
  await until(100);
  linkSync(at('meter.log'), at('meter.log.1'));
  rmSync(at('meter.log'));
  put('meter.log', lines(0, 120));
  await captured([...upTo(100), ...upTo(120)]);
});

test('lines that are all alike are read again rather than lost', async () => {
  put('meter.log', '7\n'.repeat(100));
  tail();
  await captured(Array(100).fill(7));
  replace('7\n'.repeat(110));
  await captured(Array(210).fill(7));
});

test('replaced by what has nothing of it', async () => {
  put('meter.log', lines(0, 100));
  tail();
  await until(100);
  replace(lines(100, 150));
  await until(150);
});

test('its folder is moved to another disk, and is a link from then on', async () => {
  put('meter.log', lines(0, 100));
  tail();
  await until(100);
  const disk = join(place().root, 'disk');
  mkdirSync(disk);
  copyFileSync(at('meter.log'), join(disk, 'meter.log'));
  renameSync(join(place().root, 'log'), join(place().root, 'log-before'));
  symlinkSync(disk, join(place().root, 'log'));
  add('meter.log', lines(100, 130));
  await until(130);
  stop();
  rmSync(join(place().root, 'log'));
  mkdirSync(join(place().root, 'log'));
  copyFileSync(join(disk, 'meter.log'), at('meter.log'));
  add('meter.log', lines(130, 150));
  tail();
  await until(150);
  expect(place().faults).toEqual([]);
});

test('a second name for the file is none of its generations', async () => {
  put('meter.log', lines(0, 50));
  tail();
  await until(50);
  linkSync(at('meter.log'), at('meter.log.kept'));
  add('meter.log', lines(50, 60));
  await until(60);
  stop();
  add('meter.log', lines(60, 70));
  tail();
  await until(70);
  stop();
  // What was its second name is its only one now.
  rmSync(at('meter.log'));
  appendFileSync(at('meter.log.kept'), lines(70, 80));
  put('meter.log', lines(80, 90));
  tail();
  await until(90);
  expect(place().faults).toEqual([]);
});
