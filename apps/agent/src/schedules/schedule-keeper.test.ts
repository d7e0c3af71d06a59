/** Files of setpoints: by orders alone, whole or not at all, and back in time whatever happens. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scheduleFile } from '@albedo/contract/schedules/schedule-file';
import type { ControlOrder } from '@albedo/contract/schedules/schedules.order';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { orderOf, POWER } from '../testing/orders.ts';
import { ScheduleKeeper } from './schedule-keeper.ts';
import type { VerifiedOrder } from './signed-order.ts';

const NOON = Date.UTC(2026, 5, 14, 12);
const MINUTE = 60_000;
const device = crypto.randomUUID();
let folder = '';
let wall = NOON;
let steady = 0;
let told: string[] = [];
let logged: string[] = [];
let keeper: ScheduleKeeper;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-schedules-'));
  [wall, steady, told, logged] = [NOON, 0, [], []];
  keeper = begun();
});
afterEach(() => {
  keeper.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As an agent has it that has just begun. */
function begun(): ScheduleKeeper {
  const own = new ScheduleKeeper({
    stateFolder: join(folder, 'state'),
    schedules: () => join(folder, 'schedules'),
    log: { ...createLog('error'), error: (message) => logged.push(message) },
    tell: (message) => told.push(message),
    wall: () => wall,
    steady: () => steady,
  });
  own.start();
  own.stop();
  return own;
}
const pass = (ms: number) => {
  wall += ms;
  steady += ms;
  keeper.tend();
};

const entry = (ms: number, value: string) => ({ datetime: new Date(NOON + ms).toISOString(), value });
const order = (given: Partial<ControlOrder>): VerifiedOrder => {
  const whole = orderOf({ device, issuedAt: wall, ...given });
  const { issuedAt: _, expiresAt: __, ...said } = whole;
  return { ...whole, digest: JSON.stringify(said) };
};
const limit = (percent: number) => ({ entries: [entry(0, `${percent}%`)] });
const file = () => join(folder, 'schedules', `${POWER}.csv`);
const text = () => (existsSync(file()) ? readFileSync(file(), 'utf8') : null);
const says = (value: string) => expect(text()).toBe(`datetime,value\n2026-06-14T12:00:00.000Z,${value}\n`);

test('an order becomes the file of its setpoint, an older one or another one of its version is refused', () => {
  const first = order({
    version: 7,
    entries: [entry(0, '60%'), entry(MINUTE, '50%')],
    endsAt: NOON + 2 * MINUTE,
  });
  const answer = keeper.obey(first);
  expect(text()).toBe(
    'datetime,value\n2026-06-14T12:00:00.000Z,60%\n2026-06-14T12:01:00.000Z,50%\n2026-06-14T12:02:00.000Z,\n',
  );
  expect(answer).toEqual({ version: 7, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const { ino } = statSync(file());
  expect(keeper.obey(first)).toEqual(answer);
  expect(begun().obey(first)).toEqual(answer);
  expect(statSync(file()).ino).toBe(ino);
  keeper = begun();
  expect(() => keeper.obey(order({ version: 6, ...limit(90) }))).toThrow(/version 6 is older than 7/);
  expect(() => keeper.obey(order({ version: 7, ...limit(90) }))).toThrow(/was another order/);
  expect([statSync(file()).ino, keeper.versionOf(POWER)]).toEqual([ino, 7]);
  expect(keeper.obey(order({ version: 8, action: 'release', entries: [] }))).toEqual({
    version: 8,
    sha256: null,
  });
  expect([text(), keeper.versionOf(POWER)]).toEqual([null, 8]);
  expect(() => keeper.obey(first)).toThrow(/older than 8/);
});

test('a file that somebody changed on the device is of no order', () => {
  keeper.obey(order(limit(60)));
  writeFileSync(file(), 'datetime,value\n2026-06-14T12:00:00Z,90%\n');
  expect([keeper.versionOf(POWER), keeper.newestOf(POWER), keeper.newestOf('a/setpoint_cosphi')]).toEqual([
    null,
    1,
    null,
  ]);
});

test('what nobody confirmed goes back to what was before, also after a restart', () => {
  keeper.obey(order(limit(60)));
  keeper.obey(order({ version: 2, ...limit(30), trialUntil: NOON + 5 * MINUTE }));
  pass(5 * MINUTE - 1);
  says('30%');
  keeper = begun();
  pass(1);
  says('60%');
  expect([keeper.versionOf(POWER), told]).toEqual([1, [expect.stringMatching(/version 2 was on trial/)]]);
  expect(() => keeper.obey(order({ version: 2, action: 'confirm', entries: [] }))).toThrow(/trial is over/);
  expect(() => keeper.obey(order({ version: 1, ...limit(60) }))).toThrow(/older/);
});

test('a confirmed trial stays', () => {
  keeper.obey(order({ ...limit(30), trialUntil: NOON + 5 * MINUTE }));
  pass(MINUTE);
  const confirm = order({ action: 'confirm', entries: [] });
  expect(keeper.obey(confirm)).toEqual(keeper.obey(confirm));
  pass(60 * MINUTE);
  says('30%');
  expect(() => keeper.obey(order({ version: 2, action: 'confirm', entries: [] }))).toThrow(
    /not what this device/,
  );
});

test('a trial over a trial goes back to what was before both', () => {
  keeper.obey(order(limit(60)));
  keeper.obey(order({ version: 2, ...limit(30), trialUntil: NOON + 5 * MINUTE }));
  keeper.obey(order({ version: 3, ...limit(20), trialUntil: NOON + 6 * MINUTE }));
  pass(5 * MINUTE);
  says('20%');
  pass(MINUTE);
  says('60%');
});

test('a clock that is set back prolongs no trial, and one that is set forward ends it', () => {
  keeper.obey(order({ ...limit(30), trialUntil: NOON + 60 * MINUTE }));
  wall -= 600 * MINUTE;
  pass(59 * MINUTE);
  says('30%');
  // What has passed is written down now and then, so that a restart forgets little of it.
  steady = 0;
  keeper = begun();
  pass(MINUTE);
  expect(text()).toBeNull();
  keeper.obey(order({ version: 2, ...limit(30), trialUntil: wall + 60 * MINUTE }));
  wall += 61 * MINUTE;
  keeper.tend();
  expect(text()).toBeNull();
});

const byHand = (given: Partial<ControlOrder> = {}) =>
  order({ action: 'override', ...limit(0), endsAt: wall + 15 * MINUTE, ...given });

test('what is set by hand ends by its file, unless the cloud renews it; an older renewal takes nothing away', () => {
  keeper.obey(byHand());
  expect(text()).toContain('2026-06-14T12:15:00.000Z,\n');
  const renewal = byHand({ action: 'renew' });
  pass(5 * MINUTE);
  const later = byHand({ action: 'renew' });
  const answer = keeper.obey(later);
  expect(text()).toContain('2026-06-14T12:20:00.000Z,\n');
  expect(keeper.obey(renewal)).toEqual(answer);
  expect(text()).toContain('12:20');
  pass(15 * MINUTE);
  // Its last line has ended it.
  expect(text()).toContain('12:20');
  expect(() => keeper.obey(byHand({ action: 'renew' }))).toThrow(/lease is over/);
});

test('a clock that is set back does not prolong what is set by hand: what lies under it goes on', () => {
  const over = [entry(0, '0%'), entry(15 * MINUTE, '80%'), entry(60 * MINUTE, '70%')];
  keeper.obey(byHand({ entries: over, endsAt: null }));
  wall -= 120 * MINUTE;
  pass(15 * MINUTE);
  expect(text()).toBe('datetime,value\n2026-06-14T12:00:00.000Z,80%\n2026-06-14T13:00:00.000Z,70%\n');
  keeper.obey(byHand({ version: 2 }));
  wall -= 120 * MINUTE;
  pass(15 * MINUTE);
  expect(text()).toBeNull();
});

test('what is set by hand over a trial keeps nobody from ending it: what was before comes back after it', () => {
  for (const begin of [() => keeper, begun]) {
    const at = wall - NOON;
    const base = (keeper.versionOf(POWER) ?? 0) + 10;
    keeper.obey(order({ version: base, entries: [entry(at, '60%'), entry(at + 60 * MINUTE, '50%')] }));
    keeper.obey(order({ version: base + 1, entries: [entry(at, '90%')], trialUntil: wall + 5 * MINUTE }));
    const over = (lease: number, version: number, action: 'override' | 'renew' = 'override') =>
      order({
        ...{ version, action, endsAt: null },
        entries: [entry(at, '0%'), entry(lease, '90%')],
      });
    keeper.obey(over(at + 15 * MINUTE, base + 2));
    keeper = begin();
    told = [];
    pass(5 * MINUTE);
    const file = (lease: number) =>
      scheduleFile({
        entries: [entry(at, '0%'), entry(lease, '60%'), entry(at + 60 * MINUTE, '50%')],
        endsAt: null,
      });
    expect(text()).toBe(file(at + 15 * MINUTE));
    expect([keeper.versionOf(POWER), told]).toEqual([
      base + 2,
      [expect.stringMatching(new RegExp(`version ${base + 1} was on trial`))],
    ]);
    // The cloud does not know of it yet.
    keeper.obey(over(at + 20 * MINUTE, base + 2, 'renew'));
    expect(text()).toBe(file(at + 20 * MINUTE));
    keeper.obey(over(at + 20 * MINUTE, base + 3));
    expect(text()).toBe(file(at + 20 * MINUTE));
    expect(() => keeper.obey(order({ version: base + 1, action: 'confirm', entries: [] }))).toThrow();
    pass(15 * MINUTE);
    pass(1000);
    expect(text()).toBe(
      scheduleFile({ entries: [entry(at, '60%'), entry(at + 60 * MINUTE, '50%')], endsAt: null }),
    );
    expect([keeper.versionOf(POWER), told.length]).toEqual([base, 1]);
  }
});

test('a trial goes back also after what was set by hand over it is over, and stays once it is confirmed', () => {
  const over = () =>
    order({
      version: 3,
      ...({ action: 'override', endsAt: null } as const),
      entries: [entry(0, '0%'), entry(2 * MINUTE, '90%')],
    });
  keeper.obey(order({ version: 1, ...limit(60) }));
  keeper.obey(order({ version: 2, ...limit(90), trialUntil: NOON + 5 * MINUTE }));
  keeper.obey(over());
  pass(3 * MINUTE);
  expect(text()).toContain('12:02:00.000Z,90%');
  keeper.obey(order({ version: 4, ...limit(90), trialUntil: NOON + 5 * MINUTE }));
  keeper.obey(byHand({ version: 5, entries: [entry(0, '0%'), entry(6 * MINUTE, '90%')], endsAt: null }));
  expect(keeper.obey(order({ version: 4, action: 'confirm', entries: [] })).version).toBe(4);
  pass(3 * MINUTE);
  pass(1000);
  expect(text()).toContain('12:06:00.000Z,90%');
  keeper.obey(order({ version: 6, ...limit(80), trialUntil: NOON + 20 * MINUTE }));
  keeper.obey(byHand({ version: 7, entries: [entry(0, '0%'), entry(9 * MINUTE, '80%')], endsAt: null }));
  pass(10 * MINUTE);
  expect(text()).toContain('12:09:00.000Z,80%');
  keeper = begun();
  pass(5 * MINUTE);
  expect(text()).toContain('12:06:00.000Z,90%');
});

/** Another process obeys it, and is killed at a step. */
function killedAt(step: string, given: VerifiedOrder | ''): void {
  const child = join(import.meta.dirname, 'keeper.step-child.ts');
  const args = [child, folder, given === '' ? '' : JSON.stringify(given), String(wall), step];
  expect(spawnSync(process.execPath, args).signal).toBe('SIGKILL');
}

test('killed at any step of an order, the old file or the new one lies there, and a trial still goes back', () => {
  for (const [step, isThere] of [
    ['verified', false],
    ['decided', false],
    ['written', true],
  ] as const) {
    const version = keeper.obey(
      order({ version: (keeper.versionOf(POWER) ?? 0) + 10, ...limit(60) }),
    ).version;
    const trial = order({ version: version + 1, ...limit(30), trialUntil: wall + 5 * MINUTE });
    killedAt(step, trial);
    keeper = begun();
    says(isThere ? '30%' : '60%');
    expect([step, keeper.versionOf(POWER)]).toEqual([step, isThere ? version + 1 : version]);
    expect(() => keeper.obey(order({ version: version - 1, ...limit(90) }))).toThrow(/older/);
    // The cloud, which heard nothing, sends it once more.
    expect(keeper.obey(trial).version).toBe(version + 1);
    says('30%');
    pass(5 * MINUTE);
    says('60%');
    expect(keeper.versionOf(POWER)).toBe(version);
  }
}, 30_000);

test('killed while a trial goes back, it goes back at the next start', () => {
  for (const step of ['decided', 'written']) {
    const { version } = keeper.obey(order({ version: (keeper.versionOf(POWER) ?? 0) + 10, ...limit(60) }));
    keeper.obey(order({ version: version + 1, ...limit(30), trialUntil: wall + 5 * MINUTE }));
    wall += 6 * MINUTE;
    killedAt(step, '');
    keeper = begun();
    says('60%');
    expect(keeper.versionOf(POWER)).toBe(version);
  }
}, 30_000);

test('an order that was cut off leaves the trial before it on its way back', () => {
  keeper.obey(order(limit(60)));
  keeper.obey(order({ version: 2, ...limit(30), trialUntil: wall + 5 * MINUTE }));
  killedAt('decided', order({ version: 3, ...limit(10) }));
  keeper = begun();
  says('30%');
  pass(5 * MINUTE);
  says('60%');
});

test('a state that nobody can read takes no order, and names its file', () => {
  keeper.obey(order(limit(60)));
  const state = join(folder, 'state', `${POWER}.json`);
  writeFileSync(state, '{"v":1,');
  keeper = begun();
  expect(() => keeper.obey(order({ version: 2, ...limit(50) }))).toThrow(state);
  expect(logged).toEqual([expect.stringContaining(state)]);
  says('60%');
});
