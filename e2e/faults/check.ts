import type { Completeness, GapCause } from '@albedo/contract/completeness/completeness.schema';
import { type StoredRows, storedKey } from '../harness/stored-rows.ts';
import type { Claim } from './plant.ts';

/** What is wrong between what was written, what is stored and what the ledger tells, in sentences; empty when all agree. */
export function judge(claim: Claim, rows: StoredRows, ledger: Completeness): string[] {
  const {
    device,
    table,
    written,
    causes = [],
    isTold = false,
    isWhole = false,
    mayRepeat = false,
    setAside,
  } = claim;
  const found = rows.get(storedKey(device, table)) ?? new Map<number, number>();
  const known = new Map<number, number>();
  for (const n of written) known.set(n, (known.get(n) ?? 0) + 1);
  const missing = [...known].flatMap(([n, times]) =>
    Array<number>(Math.max(0, times - (found.get(n) ?? 0))).fill(n),
  );
  const foreign = [...found.keys()].filter((n) => !known.has(n));
  const doubled = [...found].filter(([n, count]) => count > (known.get(n) ?? count)).map(([n]) => n);
  const gaps = ledger.gaps.filter((gap) => gap.table === null || gap.table === table);
  const fitting = gaps.filter(({ cause }) => causes.includes(cause));
  const stream = ledger.streams.find((one) => one.table === table);
  const faults: string[] = [];
  const say = (what: string) => faults.push(`${table}: ${what}`);

  if (foreign.length > 0) say(`${foreign.length} rows that nobody wrote (${few(foreign)})`);
  if (doubled.length > 0 && !mayRepeat) say(`${doubled.length} values too often (${few(doubled)})`);
  if (missing.length > 0 && (causes.length === 0 || isWhole))
    say(`${missing.length} values are lost (${few(missing)})`);
  if ((missing.length > 0 || isTold) && causes.length > 0 && fitting.length === 0)
    say(`${missing.length} values (${few(missing)}) are missing and no gap of ${causes.join(', ')} is told`);
  if (fitting.length > 0 && fitting.every(({ events }) => events !== null)) {
    const told = fitting.reduce((sum, { events }) => sum + (events ?? 0), 0);
    if (told < missing.length) say(`the ledger tells ${told} lost events, ${missing.length} are missing`);
  }
  const isMade = (cause: GapCause) => causes.includes(cause) || (cause === 'set_aside' && setAside);
  const others = gaps.filter(({ cause }) => !isMade(cause));
  if (others.length > 0) say(`gaps that nobody made: ${JSON.stringify(others)}`);
  if (setAside !== undefined && (stream?.setAside ?? 0) !== setAside)
    say(`${stream?.setAside ?? 0} lines are set aside, ${setAside} cannot be read`);
  const stored = [...found.values()].reduce((sum, count) => sum + count, 0);
  if (stream && stream.stored !== stored && !causes.includes('cloud_restored'))
    say(`the ledger counts ${stream.stored} stored, the store has ${stored}`);
  return faults;
}

const few = (numbers: readonly number[]): string =>
  numbers.slice(0, 5).join(', ') + (numbers.length > 5 ? ', …' : '');
