/**
 * Writes units to an outbox and kills itself with SIGKILL around the n-th statement; the outbox test starts it.
 * Arguments: folder, number of the statement, "before" or "after". The parent reads how many units were promised.
 */
import { DatabaseSync, type SQLOutputValue, type StatementResultingChanges } from 'node:sqlite';
import { createLog } from '../log.ts';
import type { Shape } from './outbox.events.ts';
import { Outbox } from './outbox.ts';

const [directory = '', dieAt = '0', moment = 'before'] = process.argv.slice(2);
let steps = 0;

function around<T>(work: () => T): T {
  steps++;
  if (steps === Number(dieAt) && moment === 'before') process.kill(process.pid, 'SIGKILL');
  const result = work();
  if (steps === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
  return result;
}

class Watched extends DatabaseSync {
  override exec(sql: string): void {
    around(() => super.exec(sql));
  }

  override prepare(sql: string) {
    const statement = super.prepare(sql);
    const run = statement.run.bind(statement) as (...values: unknown[]) => StatementResultingChanges;
    const all = statement.all.bind(statement) as (...values: unknown[]) => Record<string, SQLOutputValue>[];
    return Object.assign(statement, {
      run: (...values: unknown[]) => around(() => run(...values)),
      all: (...values: unknown[]) => around(() => all(...values)),
    });
  }
}

const outbox = new Outbox({
  directory,
  limitBytes: 1e9,
  limitAgeMs: 1e12,
  log: createLog('error'),
  open: (path) => new Watched(path),
});
outbox.start();
const shape: Shape = { table: 't', source: 's', fields: [{ name: 'n', type: 'integer' }] };
const from = outbox.position('file')?.offset ?? 0;
for (let n = from; n < from + 6; n += 2) {
  outbox.append({
    captures: [
      {
        shape,
        rows: [
          { eventAt: n, values: [n] },
          { eventAt: n + 1, values: [n + 1] },
        ],
      },
    ],
    position: { key: 'file', value: { inode: 1, offset: n + 2, tail: '', header: null, skipping: false } },
  });
  const first = outbox.newest({ events: 1, bytes: 1e6 }, { eventAt: n - 1, id: 2 ** 52 }, () => false)[0];
  if (first && n % 4 === 2)
    outbox.acknowledge({ ranges: [[first.id, first.id]], gaps: [], onForgotten: () => {} });
  outbox.flush();
}
process.stdout.write(`done ${steps}\n`);
outbox.stop();
