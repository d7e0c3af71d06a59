/** What is said of setpoints, before they are obeyed and after. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setpointStatus } from '@albedo/contract/schedules/control-status';
import { rehearsalOnDevice } from '@albedo/contract/schedules/schedules.schema';
import { afterEach, expect, test } from 'vitest';
import { parseConfig } from './config.ts';
import { KeptState } from './kept-state.ts';
import { rehearse } from './rehearsal.ts';
import { parseSchedule } from './schedule.ts';
import { ControlledPlant, SUNNY, scheduleOf } from './testing/controlled-plant.ts';

const POWER = 'operator/setpoint_activepower';
const COS_PHI = 'operator/setpoint_cosphi';
let plant: ControlledPlant;
afterEach(() => plant.end());

async function begin(options: ConstructorParameters<typeof ControlledPlant>[0] = {}): Promise<void> {
  plant = new ControlledPlant(options);
  await plant.start();
}
const stands = (path: string) => setpointStatus.parse(plant.status(path));
const inverterOf = (path: string) => stands(path).inverters[0];

test('each inverter says what it was told, what reads back, and whether its power follows', async () => {
  await begin();
  const text = scheduleOf([SUNNY, '60%'], [SUNNY + 60_000, '']);
  plant.schedule(POWER, text);
  await plant.control(plant.config({ settle: 5 }, {}, [1, 2]));
  await plant.rounds(1);
  expect(stands(POWER)).toMatchObject({
    value: '60%',
    file: createHash('sha256').update(text).digest('hex'),
    fault: null,
  });
  expect(inverterOf(POWER)).toMatchObject({
    name: 'inv-1',
    register: 'WMaxLimPct',
    wanted: '60%',
    readBack: '60%',
    result: 'notTestable',
  });
  await plant.rounds(8);
  expect(stands(POWER).inverters.map(({ result, powerW, why }) => [result, powerW, why])).toEqual([
    ['followed', 15_000, ''],
    ['followed', 15_000, ''],
  ]);
  plant.now = SUNNY + 60_000;
  await plant.rounds(1);
  expect(inverterOf(POWER)).toMatchObject({ wanted: null, readBack: 'off', result: 'followed' });
  expect(stands(POWER).value).toBeNull();
});

test('a refusal, a foreign write and a file with a fault are told as such', async () => {
  await begin({ behaviours: ['changes-nothing'] });
  plant.schedule(POWER, scheduleOf([SUNNY, '60%']));
  await plant.control(plant.config({ settle: 2 }, {}, [1, 2]));
  await plant.rounds(4);
  expect(stands(POWER).inverters).toMatchObject([
    { result: 'notFollowed', isForeign: false, why: expect.stringMatching(/given up after 3 tries/) },
    { result: 'followed' },
  ]);
  plant.writes({ WMaxLimPct: 2000, WMaxLim_Ena: 1 }, 2);
  await plant.rounds(1);
  expect(stands(POWER).inverters[1]).toMatchObject({
    result: 'notFollowed',
    isForeign: true,
    readBack: '20%',
  });
  plant.schedule(POWER, 'datetime,value\nsoon,60%\n');
  await plant.rounds(1);
  expect(stands(POWER).inverters[1]).toMatchObject({
    result: 'notFollowed',
    why: expect.stringMatching(/soon/),
  });
});

test('at night, out of reach, and behind another provider nobody claims that it is followed', async () => {
  await begin({ at: Date.UTC(2026, 2, 6, 22) });
  plant.schedule(POWER, scheduleOf([plant.now, '60%']));
  await plant.control(plant.config({ settle: 2 }));
  await plant.rounds(5);
  expect(inverterOf(POWER)).toMatchObject({ result: 'notTestable', readBack: '60%', why: 'it is asleep' });
  await plant.stopPlant();
  await plant.rounds(1);
  expect(inverterOf(POWER)).toMatchObject({ result: 'notTestable', readBack: null, powerW: null });
  await plant.start();
  const providers = [
    { name: 'grid', type: 'fixed', setpoint_activepower: '30%' },
    { name: 'operator', type: 'schedule' },
  ];
  await plant.control(plant.config({ settle: 2 }, { providers }));
  await plant.rounds(2);
  expect(inverterOf(POWER)).toMatchObject({ result: 'notFollowed', why: 'grid comes first: 30%' });
});

test('cos phi reads back with its word', async () => {
  await begin();
  plant.schedule(COS_PHI, scheduleOf([SUNNY, '0.9 under-excited']));
  await plant.control(plant.config({ settle: 2, over_excited: 'negative' }));
  await plant.rounds(2);
  expect(inverterOf(COS_PHI)).toMatchObject({ register: 'OutPFSet', readBack: '0.9 under-excited' });
});

test('a stop waits for no look at inverters, and what was there is still what is there now', async () => {
  await begin();
  await plant.control(plant.config({}, {}, [1, 2]));
  await plant.rounds(1);
  const looked = stands(POWER).inverters.map(({ powerW }) => powerW);
  plant.writes({ WMaxLimPct: 9000, WMaxLim_Ena: 1 });
  plant.now += 500;
  plant.schedule(POWER, scheduleOf([SUNNY, '0%']));
  await plant.changed();
  expect([plant.limitPct(1), plant.limitPct(2)]).toEqual([0, 0]);
  expect(stands(POWER).inverters.map(({ powerW }) => powerW)).toEqual(looked);
  const { inverters } = JSON.parse(readFileSync(join(plant.folder, 'state.json'), 'utf8'));
  expect(inverters['inv-1'].channels.setpoint_activepower.original).toMatchObject({
    owner: 'another controller',
    registers: { WMaxLimPct: 9000 },
  });
  await plant.rounds(20);
  expect(stands(POWER).inverters).toMatchObject([
    { wanted: '0%', readBack: '0%', powerW: 0, result: 'followed' },
    { powerW: 0, result: 'followed' },
  ]);
  // What was seen too long ago is looked at again.
  plant.now += 10_000;
  plant.schedule(POWER, scheduleOf([SUNNY, '50%']));
  await plant.changed();
  await plant.rounds(1);
  expect([plant.limitPct(), stands(POWER).inverters[0]?.isForeign]).toEqual([50, false]);
});

async function rehearsed(yaml: string, kind: 'setpoint_activepower' | 'setpoint_cosphi', text: string) {
  const state = new KeptState(join(plant.folder, 'state.json'));
  state.load();
  const of = { config: parseConfig(yaml, 'f'), state, folder: plant.folder };
  const at = { now: plant.now, signal: new AbortController().signal };
  return rehearsalOnDevice.parse(await rehearse(of, kind, parseSchedule(kind, text, 'f'), at));
}

test('a rehearsal says registers and kW of every inverter and writes nothing', async () => {
  await begin();
  const yaml = plant.config({ revert: 60 }, {}, [1, 2]).replace('unit: 2', 'unit: 9\n    rated_power: 25 kW');
  const before = JSON.stringify(plant.controls.state(1, plant.now));
  const { entries, inverters } = await rehearsed(
    yaml.replace('timeout: 0.4', 'timeout: 0.4\nunreachable: stopped'),
    'setpoint_activepower',
    scheduleOf([SUNNY, '30%'], [SUNNY + 60_000, '']),
  );
  expect(entries).toEqual([
    {
      datetime: new Date(SUNNY).toISOString(),
      value: '30%',
      inverters: [
        { name: 'inv-1', register: 'WMaxLimPct_RvrtTms 60, WMaxLimPct 6000 (SF -2), WMaxLim_Ena 1', kw: 15 },
      ],
    },
    {
      datetime: new Date(SUNNY + 60_000).toISOString(),
      value: '',
      inverters: [{ name: 'inv-1', register: 'WMaxLimPct 10000 (SF -2), WMaxLim_Ena 0', kw: 25 }],
    },
  ]);
  expect(inverters).toMatchObject([
    { isReached: true, model: 123, ratedKw: 25, mayWrite: 'unknown', whenLost: 'release', timerS: 60 },
    {
      isReached: false,
      model: null,
      ratedKw: 25,
      mayWrite: 'unknown',
      why: expect.stringMatching(/exception 11/),
    },
  ]);
  expect(JSON.stringify(plant.controls.state(1, plant.now))).toBe(before);
  expect(() => readFileSync(join(plant.folder, 'state.json'))).toThrow('ENOENT');
});

test('a rehearsal finds who cannot write, what is left when we are gone, and what wears', async () => {
  await begin({ slug: 'riverside', behaviours: ['local-mode'] });
  const [local] = (await rehearsed(plant.config(), 'setpoint_activepower', scheduleOf([SUNNY, '60%'])))
    .inverters;
  expect(local).toMatchObject({ model: 704, mayWrite: 'no', why: expect.stringMatching(/local mode/) });
  const [value] = (
    await rehearsed(plant.config({ fallback: '30%' }), 'setpoint_activepower', scheduleOf([SUNNY, '60%']))
  ).inverters;
  expect(value).toMatchObject({ whenLost: 'value', fallback: '30%', timerS: 120 });
  const [held] = (
    await rehearsed(plant.config({ revert: 0 }), 'setpoint_activepower', scheduleOf([SUNNY, '60%']))
  ).inverters;
  expect(held).toMatchObject({ whenLost: 'hold', fallback: null, timerS: null });
  await plant.end();
  await begin();
  const config = plant.config({ classes: { setpoint_activepower: 'persistent' } });
  plant.schedule(POWER, scheduleOf([SUNNY, '60%']));
  await plant.control(config);
  await plant.rounds(1);
  const [kept] = (
    await rehearsed(config, 'setpoint_activepower', scheduleOf([SUNNY, '50%'], [SUNNY + 9, '']))
  ).inverters;
  expect(kept).toMatchObject({
    mayWrite: 'yes',
    whenLost: 'release',
    timerS: null,
    isPersistent: true,
    persistentWritesToday: 1,
  });
});
