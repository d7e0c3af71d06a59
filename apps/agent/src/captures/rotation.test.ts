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
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'vitest';
import {
  add,
  at,
  begin,
  captured,
  dynamic,
  follow,
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
import { Follower } from './follower.ts';
import { tryOpen } from './generation.ts';
import { StaticLines } from './lines.ts';
import { ReadLoop } from './read-loop.ts';
import { between } from './rotated.ts';
import { TailCapture } from './tail.capture.ts';

test('renamed twice while the agent did not run: all three files are read to their end, in order', async () => {
  put('meter.log', lines(0, 50));
  put('other.log', lines(900, 950));
  tail();
  await until(50);
  stop();
  add('meter.log', lines(50, 60));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(60, 160));
  renameSync(at('meter.log.1'), at('meter.log.2'));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(160, 250));
  add('other.log', lines(950, 960));
  tail();
  await until(250);
  stop();
  tail();
  add('meter.log', lines(250, 260));
  await until(260);
  expect(place().faults).toEqual([]);
});

test('what was read before it was rotated is not read again', async () => {
  put('meter.log', lines(0, 50));
  tail();
  await until(50);
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(50, 60));
  await until(60);
  await sleep(1200);
  stop();
  renameSync(at('meter.log.1'), at('meter.log.2'));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(60, 70));
  tail();
  await until(70);
});

test('copied and cut, once and again, while the agent did not run', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  stop();
  add('meter.log', lines(30, 40));
  copyFileSync(at('meter.log'), at('meter.log.1'));
  written('meter.log.1');
  truncateSync(at('meter.log'), 0);
  add('meter.log', lines(40, 140));
  renameSync(at('meter.log.1'), at('meter.log.2'));
  copyFileSync(at('meter.log'), at('meter.log.1'));
  written('meter.log.1');
  truncateSync(at('meter.log'), 0);
  add('meter.log', lines(140, 150));
  tail();
  await until(150);
});

test('copied and cut while the agent runs, with lines that it has not read yet', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  // All of it between two looks.
  add('meter.log', lines(30, 40));
  copyFileSync(at('meter.log'), at('meter.log.1'));
  truncateSync(at('meter.log'), 0);
  add('meter.log', lines(40, 45));
  await until(45);
});

for (const [name, end, mark] of [
  ['lines that end in LF', '\n', ''],
  ['lines that end in CR LF', '\r\n', ''],
  ['a byte order mark', '\n', '\uFEFF'],
] as const) {
  test(`several midnights with a copy for each day: ${name}`, async () => {
    const header = mark + HEADER.replace('\n', end);
    const day = (n: number, text: string) => {
      put(`t/s/2024-03-0${n}.csv`, text);
      put('t/s/latest.csv.new', text);
      renameSync(at('t/s/latest.csv.new'), at('t/s/latest.csv'));
    };
    day(1, header + rows(0, 50, end));
    dynamic();
    await until(50);
    stop();
    day(1, header + rows(0, 100, end));
    day(2, header + rows(100, 200, end));
    day(3, header + rows(200, 300, end));
    day(4, header + rows(300, 350, end));
    dynamic();
    await until(350);
    expect(place().faults).toEqual([]);
  });
}

test('a header further down does not hide what was rotated', async () => {
  put(
    't/s/latest.csv',
    `${HEADER}${rows(0, 10)}# Datetime(date),n(integer),mode(keyword)\n2024-03-01T00:00:10Z,10,on\n`,
  );
  dynamic();
  await until(11);
  stop();
  add('t/s/latest.csv', '2024-03-01T00:00:11Z,11,on\n');
  copyFileSync(at('t/s/latest.csv'), at('t/s/2024-03-01.csv'));
  written('t/s/2024-03-01.csv');
  rmSync(at('t/s/latest.csv'));
  put('t/s/latest.csv', HEADER + rows(12, 20));
  dynamic();
  await until(20);
});

/** The followed file, with twenty lines that were read. */
async function twentyRead(): Promise<void> {
  put('meter.log', lines(0, 20));
  tail();
  await until(20);
}

/** As `gzip` does it: another name, the same time. */
function pack(name: string, pack: (bytes: Buffer) => Buffer, end: string): void {
  writeFileSync(at(name + end), pack(readFileSync(at(name))));
  const { atime, mtime } = statSync(at(name));
  utimesSync(at(name + end), atime, mtime);
  rmSync(at(name));
}

for (const [end, packed] of [
  ['.gz', gzipSync],
  ['.zst', zstdCompressSync],
] as const) {
  test(`what was packed (${end}) while the agent did not run is read to its end`, async () => {
    put('meter.log.7', lines(900, 990));
    pack('meter.log.7', packed, end);
    put('meter.log', lines(0, 50));
    tail();
    await until(50);
    stop();
    add('meter.log', lines(50, 60));
    renameSync(at('meter.log'), at('meter.log.3'));
    pack('meter.log.3', packed, end);
    put('meter.log.2', lines(60, 160));
    pack('meter.log.2', packed, end);
    put('meter.log.1', lines(160, 200));
    put('meter.log', lines(200, 250));
    tail();
    await until(250);
    stop();
    tail();
    add('meter.log', lines(250, 260));
    await until(260);
    expect(place().faults).toEqual([]);
    expect(place().outbox?.gaps(10)).toEqual([]);
  });
}

test.each(['meter.log.', 'meter.log-2026030'])(
  'a packer that gives its file the time of the packing hides nothing that came after it: %s',
  async (name) => {
    const [older, newer] = name.endsWith('.') ? [`${name}2`, `${name}1`] : [`${name}1`, `${name}2`];
    put('meter.log', lines(0, 50));
    tail();
    await until(50);
    stop();
    add('meter.log', lines(50, 60));
    renameSync(at('meter.log'), at(older));
    put(newer, lines(60, 160));
    put('meter.log', lines(160, 200));
    // As `gzip -c` into a new file does it, after the others were written.
    writeFileSync(at(`${older}.gz`), gzipSync(readFileSync(at(older))));
    const late = Date.now() / 1000 + 60;
    utimesSync(at(`${older}.gz`), late, late);
    rmSync(at(older));
    tail();
    await until(200);
    expect(place().faults).toEqual([]);
    expect(place().outbox?.gaps(10)).toEqual([]);
  },
);

const lost = { table: 't', source: 's', cause: 'file_lost', events: null };

test('a packed file that cannot be read is told and declared, and the rest is read', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  stop();
  renameSync(at('meter.log'), at('meter.log.2'));
  put('meter.log.1.gz', 'no gzip');
  put('meter.log', lines(30, 40));
  tail();
  await until(40);
  expect(place().faults[0]?.message).toMatch(/meter\.log\.1\.gz came between/);
  expect(place().outbox?.gaps(10)).toMatchObject([lost]);
});

test('lines that were cut off before they were read are declared', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  add('meter.log', '30\n31\n3');
  await until(32);
  truncateSync(at('meter.log'), 0);
  add('meter.log', '32\n');
  await until(33);
  expect(place().faults[0]?.message).toMatch(/was cut; 1 bytes/);
  expect(place().outbox?.gaps(10)).toMatchObject([lost]);
});

test('a file that was replaced and is nowhere to be found is told and declared', async () => {
  put('meter.log', lines(0, 30));
  tail();
  await until(30);
  stop();
  rmSync(at('meter.log'));
  put('unrelated', '');
  put('meter.log', lines(30, 40));
  tail();
  await until(40);
  expect(place().faults[0]?.message).toMatch(/was replaced while the agent did not run/);
  expect(place().outbox?.gaps(10)).toMatchObject([lost]);
  stop();
  // Once, and also over a restart.
  tail();
  expect(place().outbox?.gaps(10)).toHaveLength(1);
});

const from = (first: number, end: number) => upTo(end - first).map((n) => first + n);
/** Makes files of the same number as one before distinct in the time of their making. */
const aMoment = () => sleep(30);

/** Copies the log to the first of its turns, and cuts it; `kept` is still part of the copy, `next` comes after the cut. */
function cut(kept: string, next: string): void {
  if (kept !== '') add('meter.log', kept);
  for (const n of [3, 2, 1]) {
    const name = at(`meter.log.${n}`);
    if (existsSync(name)) renameSync(name, at(`meter.log.${n + 1}`));
  }
  copyFileSync(at('meter.log'), at('meter.log.1'));
  written('meter.log.1');
  truncateSync(at('meter.log'));
  if (next !== '') add('meter.log', next);
}

test('cut between the start of the agent, which sees the file, and its first read of it', async () => {
  put('meter.log', lines(100, 150));
  tail();
  await captured(from(100, 150));
  stop();
  cut('', lines(150, 190));
  tail();
  cut('', lines(190, 200));
  await captured(from(100, 200));
  // Of the same size, so that nothing is seen to shrink.
  stop();
  cut('', lines(200, 240));
  tail();
  cut('', lines(240, 280));
  await captured(from(100, 280));
  expect(place().faults).toEqual([]);
  expect(place().outbox?.gaps(10)).toEqual([]);
});

test('copied and cut twice before the agent looks, with nothing or all read of what was there', async () => {
  put('meter.log', lines(100, 150));
  tail();
  await captured(from(100, 150));
  // All was read, and two generations pass at once.
  cut('', lines(150, 200));
  cut(lines(200, 210), lines(210, 230));
  await captured(from(100, 230));
  // The agent sees the empty file, and then only what was written after the next cut.
  cut('', '');
  await sleep(1500);
  add('meter.log', lines(230, 250));
  cut(lines(250, 270), lines(270, 290));
  await captured(from(100, 290));
  expect(place().faults).toEqual([]);
  expect(place().outbox?.gaps(10)).toEqual([]);
});

for (const [names, name] of [
  ['a day behind the name', (n: number) => `meter.log-2026030${n}`],
  ['a number before its ending', (n: number) => `meter.${9 - n}.log`],
  ['seconds before its ending', (n: number) => `meter-177235200${n}.log`],
] as const) {
  test(`an empty file that is written, copied, cut and packed before the agent looks is read in its copies: ${names}`, async () => {
    const turn = (n: number) => {
      add('meter.log', lines(100 + n * 10, 110 + n * 10));
      cut('', '');
      renameSync(at('meter.log.1'), at(name(n)));
      pack(name(n), gzipSync, '.gz');
    };
    put('meter.log', lines(0, 40));
    tail();
    await until(40);
    turn(0);
    await captured([...upTo(40), ...upTo(110).slice(100)]);
    // What it sees from now on is an empty file, as at its last look.
    turn(1);
    turn(2);
    await captured([...upTo(40), ...upTo(130).slice(100)]);
    turn(3);
    add('meter.log', lines(140, 150));
    await captured([...upTo(40), ...upTo(150).slice(100)]);
    expect(place().faults).toEqual([]);
    expect(place().outbox?.gaps(10)).toEqual([]);
  });
}

test('files whose times say nothing, as after a copy of the disk without them, are read in the order of their numbers', async () => {
  put('meter.log', lines(0, 40));
  tail();
  await until(40);
  stop();
  for (const from of [40, 60, 80]) {
    for (const n of [2, 1])
      if (existsSync(at(`meter.log.${n}`))) renameSync(at(`meter.log.${n}`), at(`meter.log.${n + 1}`));
    add('meter.log', lines(from, from + 10));
    renameSync(at('meter.log'), at('meter.log.1'));
    put('meter.log', lines(from + 10, from + 20));
  }
  pack('meter.log.2', gzipSync, '.gz');
  // As `cp -r` makes them, one after the other.
  for (const name of ['meter.log', 'meter.log.1', 'meter.log.2.gz', 'meter.log.3']) {
    copyFileSync(at(name), at('copy'));
    renameSync(at('copy'), at(name));
    written(name);
  }
  tail();
  await until(100);
  expect(place().faults).toEqual([]);
});

test('more files than are held open at a time are all read', async () => {
  put('meter.log', lines(0, 40));
  tail();
  await until(40);
  stop();
  renameSync(at('meter.log'), at('meter.log.7'));
  for (const n of [6, 5, 4, 3, 2, 1]) put(`meter.log.${n}`, lines(100 - n * 10, 110 - n * 10));
  put('meter.log', lines(100, 110));
  const scenario = { table: 't', source: 's', expect: 'integer' };
  const follower = new Follower({
    key: 'tail t.s /log/meter.log',
    path: at('meter.log'),
    reader: new StaticLines(scenario, 'tail', (fault) => place().faults.push(fault)),
    sink: begin(),
    firstSight: 'start',
    successors: 2,
  });
  const loop = new ReadLoop();
  loop.add(follower);
  follow(loop);
  await until(110);
  expect(place().faults).toEqual([]);
});

test('of lines that cannot be read a thousand are kept, and all others are declared', async () => {
  put('meter.log', `${'a\0b\n'.repeat(1100)}${lines(0, 5)}`);
  tail();
  for (let n = 0; n < 400 && numbers().length < 1005; n++) await sleep(20);
  expect(numbers().filter((one) => typeof one === 'number')).toEqual(upTo(5));
  expect(numbers()).toHaveLength(1005);
  expect(place().outbox?.gaps(10)).toMatchObject([
    { table: 't', source: 's', cause: 'file_lost', events: 100 },
  ]);
});

test('files that hold the same lines are each read', async () => {
  put('meter.log', lines(0, 100));
  tail();
  await until(100);
  stop();
  renameSync(at('meter.log'), at('meter.log.2'));
  put('meter.log.1', lines(0, 100));
  put('meter.log', lines(0, 100));
  tail();
  await captured([...upTo(100), ...upTo(100), ...upTo(100)]);
});

test('files of one size that differ in the middle only are each read', async () => {
  put('meter.log', lines(0, 40));
  tail();
  await until(40);
  stop();
  const frame = from(50_000, 51_000);
  renameSync(at('meter.log'), at('meter.log.3'));
  for (const [name, first] of [
    ['meter.log.2', 1000],
    ['meter.log.1', 2000],
    ['meter.log', 3000],
  ] as const) {
    put(name, lines(50_000, 51_000) + lines(first, first + 40) + lines(50_000, 51_000));
  }
  tail();
  const each = [1000, 2000, 3000].flatMap((first) => [...frame, ...from(first, first + 40), ...frame]);
  await captured([...upTo(40), ...each]);
});

test('packed files that begin with the same lines are told apart by what follows', async () => {
  put('meter.log', lines(0, 100));
  tail();
  await until(100);
  stop();
  add('meter.log', lines(100, 110));
  renameSync(at('meter.log'), at('meter.log.3'));
  pack('meter.log.3', gzipSync, '.gz');
  await aMoment();
  put('meter.log.2', lines(0, 100) + lines(110, 120));
  pack('meter.log.2', gzipSync, '.gz');
  await aMoment();
  put('meter.log.1', lines(0, 100) + lines(120, 130));
  put('meter.log', lines(0, 100) + lines(130, 140));
  tail();
  const again = (first: number) => [...upTo(100), ...from(first, first + 10)];
  await captured([...upTo(110), ...again(110), ...again(120), ...again(130)]);
});

test('of a file with nothing but its header yet, the days that followed are all read', async () => {
  put('t/s/2024-02-28.csv', HEADER + rows(900, 930));
  // Written well before anything is noted, further than clocks of file systems may be apart.
  await sleep(250);
  put('t/s/latest.csv', HEADER);
  dynamic();
  for (let n = 0; n < 400 && !place().outbox?.position('dynamic /log/t/s/latest.csv'); n++) await sleep(20);
  stop();
  await aMoment();
  const day = (n: number, text: string) => {
    put(`t/s/2024-03-0${n}.csv`, text);
    put('t/s/latest.csv.new', text);
    renameSync(at('t/s/latest.csv.new'), at('t/s/latest.csv'));
  };
  day(1, HEADER + rows(0, 50));
  day(2, HEADER + rows(50, 70));
  // A single line, of which the copy of the day is no other.
  day(3, HEADER + rows(70, 71));
  dynamic();
  await until(71);
});

test('the file that a link leads to is followed to its end, rotated or replaced by that of another day', async () => {
  mkdirSync(at('disk'));
  put('disk/day-1.log', lines(0, 40));
  symlinkSync(at('disk/day-1.log'), at('meter.log'));
  tail();
  await until(40);
  stop();
  add('disk/day-1.log', lines(40, 60));
  renameSync(at('disk/day-1.log'), at('disk/day-1.log.1'));
  put('disk/day-1.log', lines(60, 90));
  tail();
  await until(90);
  stop();
  add('disk/day-1.log', lines(90, 100));
  put('disk/day-2.log', lines(100, 120));
  put('disk/day-3.log', lines(120, 150));
  rmSync(at('meter.log'));
  symlinkSync(at('disk/day-3.log'), at('meter.log'));
  tail();
  await until(150);
  expect(place().faults).toEqual([]);
});

for (const way of ['renamed', 'deleted'] as const) {
  test(`what is still written into a file that was ${way} is read, over a start too where it has a name`, async () => {
    put('meter.log', lines(0, 40));
    tail();
    await until(40);
    const old = openSync(at('meter.log'), 'a');
    try {
      if (way === 'renamed') renameSync(at('meter.log'), at('meter.log.1'));
      else rmSync(at('meter.log'));
      put('meter.log', lines(40, 60));
      await until(60);
      writeSync(old, lines(60, 70));
      await until(70);
      if (way === 'renamed') {
        stop();
        writeSync(old, lines(70, 80));
        tail();
        await until(80);
      } else {
        writeSync(old, lines(70, 80));
        await until(80);
      }
      add('meter.log', lines(80, 90));
      await until(90);
    } finally {
      closeSync(old);
    }
  });
}

test('marks and headers in the middle of a file that was put together are no lines', async () => {
  const other = '# Datetime(date),mode(discard),n(integer)\r\n';
  put('t/s/latest.csv', `\uFEFF${HEADER.replace('\n', '\r\n')}${rows(0, 40, '\r\n')}\uFEFF${other}`);
  add('t/s/latest.csv', `2024-03-01T00:01:00Z,on,40\r\n\uFEFF${HEADER}${rows(41, 60)}`);
  dynamic();
  await until(60);
  expect(place().faults).toEqual([]);
});

test('two entries for one stream of one file each have a place of their own', async () => {
  put('meter.log', lines(0, 40));
  const entry = {
    table: 't',
    source: 's',
    file: '/log/meter.log',
    expect: 'integer',
    from: 'start',
  } as never;
  const sink = begin();
  const entryOf = (nth: number) =>
    new TailCapture(entry, at('meter.log'), sink, (fault) => place().faults.push(fault), nth);
  const first = entryOf(1);
  follow(first);
  await until(40);
  first.stop();
  follow(entryOf(2));
  await captured([...upTo(40), ...upTo(40)]);
});

test('files that came and went between two looks, as on a machine that stood still, are each read', async () => {
  await twentyRead();
  // All of it before the agent looks again.
  add('meter.log', lines(20, 30));
  renameSync(at('meter.log'), at('meter.log.2'));
  put('meter.log.1', lines(30, 60));
  put('meter.log', lines(60, 70));
  await until(70);
  expect(place().faults).toEqual([]);
});

test('what came and was packed after a moment without a file, while the agent did not run, is read from its start', async () => {
  put('meter.log', lines(0, 20));
  tail('end');
  add('meter.log', lines(20, 30));
  await captured(upTo(30).slice(20));
  renameSync(at('meter.log'), at('meter.log.1'));
  // Longer than its writer has to end its last line.
  await sleep(1500);
  stop();
  renameSync(at('meter.log.1'), at('meter.log.2'));
  pack('meter.log.2', gzipSync, '.gz');
  put('meter.log.1', lines(30, 60));
  put('meter.log', lines(60, 70));
  tail('end');
  await captured(upTo(70).slice(20));
});

test.each([
  { time: 'the time of the last line', seconds: 0 },
  { time: 'the time of the packing', seconds: 60 },
  { time: 'a time from before', seconds: -60 },
])(
  'files that came, went and were packed with $time between two looks are each read once',
  async ({ seconds }) => {
    await twentyRead();
    add('meter.log', lines(20, 30));
    renameSync(at('meter.log'), at('meter.log.2'));
    put('meter.log.1', lines(30, 60));
    put('meter.log', lines(60, 70));
    for (const name of ['meter.log.2', 'meter.log.1']) {
      const then = statSync(at(name)).mtimeMs / 1000 + seconds;
      pack(name, gzipSync, '.gz');
      if (seconds !== 0) utimesSync(at(`${name}.gz`), then, then);
    }
    await captured(upTo(70));
    await sleep(1500);
    await captured(upTo(70));
    expect(place().faults).toEqual([]);
  },
);

test('files that are numbered upwards, and packed after the next one began, are each read once', async () => {
  await twentyRead();
  for (const turn of [1, 2, 3]) {
    renameSync(at('meter.log'), at(`meter.log.${turn}`));
    put('meter.log', lines(turn * 20, turn * 20 + 10));
    pack(`meter.log.${turn}`, gzipSync, '.gz');
    await captured(upTo(turn * 20 + 10));
    await sleep(50);
    add('meter.log', lines(turn * 20 + 10, turn * 20 + 20));
    await captured(upTo(turn * 20 + 20));
  }
  expect(place().faults).toEqual([]);
});

test('what was written into an empty file and packed while the agent did not run is read from its start', async () => {
  await twentyRead();
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', '');
  // Longer than the writer of the old one has to end its last line.
  await sleep(1500);
  stop();
  add('meter.log', lines(20, 40));
  renameSync(at('meter.log.1'), at('meter.log.2'));
  renameSync(at('meter.log'), at('meter.log.1'));
  for (const name of ['meter.log.2', 'meter.log.1']) pack(name, gzipSync, '.gz');
  put('meter.log', lines(40, 60));
  tail();
  await captured(upTo(60));
  expect(place().faults).toEqual([]);
});

test('what is just being packed beside the file that it is made of is not read twice, nor told as lost', async () => {
  await twentyRead();
  add('meter.log', lines(20, 30));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(30, 40));
  const packed = gzipSync(readFileSync(at('meter.log.1')));
  writeFileSync(at('meter.log.1.gz'), packed.subarray(0, 20));
  await captured(upTo(40));
  expect(place().faults).toEqual([]);
  expect(place().outbox?.gaps(10)).toEqual([]);
});

test('what is packed of a file that is still read is not read a second time', async () => {
  await twentyRead();
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(20, 30));
  await captured(upTo(30));
  // Its writer goes on for a moment, so that it has later lines than the one that took its place.
  add('meter.log.1', lines(30, 40));
  await captured(upTo(40));
  renameSync(at('meter.log.1'), at('meter.log.2'));
  renameSync(at('meter.log'), at('meter.log.1'));
  put('meter.log', lines(40, 50));
  pack('meter.log.2', gzipSync, '.gz');
  await captured(upTo(50));
  await sleep(1500);
  await captured(upTo(50));
  expect(place().faults).toEqual([]);
});

test('files that get other names while they are looked through are all found', () => {
  put('meter.log', lines(0, 20));
  const first = tryOpen(at('meter.log'));
  if (!first) throw new Error('there is no file');
  renameSync(at('meter.log'), at('meter.log.2'));
  put('meter.log.1', lines(20, 40));
  put('meter.log', lines(40, 60));
  let looks = 0;
  const found = between(
    at('meter.log'),
    first,
    () => {
      // A turn of them all, as soon as the first one was looked at.
      if (looks++ === 0) {
        renameSync(at('meter.log.2'), at('meter.log.3'));
        renameSync(at('meter.log.1'), at('meter.log.2'));
        renameSync(at('meter.log'), at('meter.log.1'));
        put('meter.log', lines(60, 80));
      }
      return false;
    },
    (name, why) => expect.fail(`${name}: ${why}`),
  );
  expect(found.map(({ fd }) => readFileSync(fd, 'utf8'))).toEqual([lines(20, 40), lines(40, 60)]);
  for (const { fd } of [first, ...found]) closeSync(fd);
});
