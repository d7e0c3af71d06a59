import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import type { Behaviour } from '@albedo/simulator/controls/behaviours';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseConfig } from './config.ts';
import { pvControlPlugin } from './pv-control.plugin.ts';
import { ControlledPlant, SUNNY, scheduleOf } from './testing/controlled-plant.ts';

const POWER = 'operator/setpoint_activepower';
let plant: ControlledPlant;

async function begin(options: ConstructorParameters<typeof ControlledPlant>[0] = {}): Promise<void> {
  await plant?.end();
  plant = new ControlledPlant(options);
  await plant.start();
}
beforeEach(() => begin());
afterEach(() => plant.end());

const stateFile = () => join(plant.folder, 'state.json');
const kept = () => JSON.parse(readFileSync(stateFile(), 'utf8')).inverters['inv-1'];

test('a scheduled limit is written, read back, followed, renewed at half its timer, and given back at its end', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY + 5000, '60%'], [SUNNY + 305_000, '']));
  await plant.control(plant.config({ settle: 10 }));
  await plant.rounds(5);
  expect([plant.limitPct(), existsSync(stateFile())]).toEqual([100, false]);
  await plant.rounds(1);
  expect(plant.controls.state(1, plant.now).points).toMatchObject({
    WMaxLimPct: 6000,
    WMaxLimPct_RvrtTms: 120,
    WMaxLim_Ena: 1,
  });
  expect(kept().channels.setpoint_activepower.original).toEqual({
    at: SUNNY + 5000,
    owner: 'inverter',
    registers: { WMaxLimPct: 10_000, WMaxLimPct_RvrtTms: 0, WMaxLimPct_RmpTms: 0, WMaxLim_Ena: 0 },
  });
  await plant.rounds(20);
  expect(plant.powerW()).toBe(15_000);
  expect(plant.said('Result', 'check')).toEqual(['not testable yet', 'followed']);
  await plant.rounds(250);
  expect(plant.limitPct()).toBe(60);
  expect(plant.said('Register', 'renew').filter((name) => name === 'WMaxLimPct')).toHaveLength(4);
  await plant.rounds(35);
  expect([plant.limitPct(), plant.powerW() > 20_000]).toEqual([100, true]);
  expect(plant.controls.state(1, plant.now).points).toMatchObject({ WMaxLimPct: 10_000, WMaxLim_Ena: 0 });
  expect(plant.said('Result', 'release')).toEqual(['restored']);
  expect(kept().channels).toEqual({});
  expect(plant.errors()).toEqual([]);
});

test('without us the inverter goes on by itself after its timer', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '20%']));
  await plant.control();
  await plant.rounds(3);
  expect(plant.limitPct()).toBe(20);
  plant.now += 121_000;
  expect(plant.limitPct()).toBe(100);
  // What is back takes it up again, and does not take its own leftover for the original.
  await plant.control();
  await plant.rounds(2);
  expect(plant.limitPct()).toBe(20);
  expect(kept().channels.setpoint_activepower.original.registers.WMaxLim_Ena).toBe(0);
});

test('the value of a plant is shared by rating, and the reachable make up for one out of reach', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '40 kW']));
  const lost = plant.config({}, {}, [1, 2]).replace('unit: 2', 'unit: 9\n    rated_power: 25 kW');
  await plant.control(plant.config({}, {}, [1, 2]));
  await plant.rounds(1);
  expect([plant.limitPct(1), plant.limitPct(2)]).toEqual([80, 80]);
  await plant.control(lost);
  await plant.rounds(1);
  // The lost one keeps its limit as long as its timer holds.
  expect(plant.limitPct(1)).toBe(80);
  plant.now += 121_000;
  await plant.rounds(1);
  expect(plant.limitPct(1)).toBe(60);
  await plant.control(lost.replace('timeout: 0.4', 'timeout: 0.4\nunreachable: stopped'));
  await plant.rounds(1);
  expect(plant.limitPct(1)).toBe(100);
  expect(plant.errors()[0]).toMatch(/unit 9.*exception 11/);
});

test('the first provider with a value is obeyed, one that is switched off is only recorded', async () => {
  const providers = [
    { name: 'grid', type: 'schedule', stream_interval: 1 },
    {
      name: 'off',
      type: 'fixed',
      setpoint_activepower: '10%',
      enable_active_power: false,
      stream_interval: 60,
    },
    {
      name: 'ceiling',
      type: 'fixed',
      setpoint_activepower: '0.045MW',
      setpoint_cosphi: '0.95 under-excited',
    },
  ];
  await plant.control(plant.config({}, { providers }, [1, 2]));
  await plant.rounds(1);
  expect(plant.limitPct()).toBe(90);
  expect(plant.plant.inverter(1, plant.now).reactivePowerVar).toBeLessThan(-6000);
  plant.schedule('grid/setpoint_activepower', scheduleOf([SUNNY, '30%']));
  await plant.rounds(2);
  expect(plant.limitPct()).toBe(30);
  expect(plant.said('Active Power')).toContain('10%');
  expect(plant.said('Obeyed')).toContain('setpoint_activepower');
});

test('cos phi and reactive power are followed, and exclude each other', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '50%']));
  plant.schedule('operator/setpoint_cosphi', scheduleOf([SUNNY, '0.9 over-excited'], [SUNNY + 60_000, '']));
  plant.schedule('operator/setpoint_reactivepower', scheduleOf([SUNNY, '-20% WMax']));
  await plant.control(plant.config({ settle: 2 }));
  await plant.rounds(10);
  expect(plant.plant.inverter(1, plant.now).reactivePowerVar).toBeCloseTo(12_500 * 0.4843, -1);
  plant.now += 60_000;
  await plant.rounds(10);
  expect(plant.plant.inverter(1, plant.now).reactivePowerVar).toBeCloseTo(-5000, 0);
  expect(plant.controls.state(1, plant.now).points).toMatchObject({
    OutPFSet_Ena: 0,
    VArPct_Mod: 1,
    VArPct_Ena: 1,
  });
  expect(plant.said('Result', 'check').filter((one) => one === 'followed')).toHaveLength(3);
  expect(plant.errors()).toEqual([]);
});

test('model 704 is controlled with its fallback and its heartbeat', async () => {
  await begin({ slug: 'riverside', at: Date.UTC(2026, 1, 14, 18) });
  plant.schedule(POWER, scheduleOf([plant.now, '50%']));
  plant.schedule('operator/setpoint_cosphi', scheduleOf([plant.now, '0.95 under-excited']));
  await plant.control(plant.config({ fallback: '30%' }));
  await plant.rounds(200);
  expect(plant.limitPct()).toBe(50);
  const { points } = plant.controls.state(1, plant.now);
  expect(points).toMatchObject({ WMaxLimPctRvrt: 300, WMaxLimPctRvrtEna: 1, PFWInj_PF: 950, PFWInj_Ext: 1 });
  expect(points.ControllerHb).toBeGreaterThan(150);
  plant.now += 200_000;
  expect(plant.limitPct()).toBe(30);
  expect(plant.errors()).toEqual([]);
});

test('a fallback is refused where the model has none', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '50%']));
  await plant.control(plant.config({ fallback: '30%' }));
  await plant.rounds(1);
  expect(plant.limitPct()).toBe(100);
  expect(plant.errors()[0]).toMatch(/model 123 can only release/);
});

test.each<[Behaviour, RegExp]>([
  ['ignores', /given up after 3 tries: .*no answer/],
  [
    'changes-nothing',
    /given up after 3 tries: it answered that all is well, but WMaxLimPct reads 10000 instead of 1500/,
  ],
  ['rounds-up', /given up after 3 tries: .*WMaxLimPct reads 5000 instead of 1500/],
])('an inverter that %s is tried three times, then says why', async (behaviour, why) => {
  await begin({ behaviours: [behaviour] });
  plant.schedule(POWER, scheduleOf([SUNNY, '15%']));
  await plant.control();
  await plant.rounds(6);
  expect(plant.errors()).toEqual([expect.stringMatching(why)]);
  expect(plant.said('Result', 'check')).toHaveLength(3);
});

test('a stop whose power does not follow is renewed although it was given up', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '60%']));
  // A rating that is not its own, so that its power never fits.
  await plant.control(plant.config({ settle: 1, rated_power: '10 kW' }));
  await plant.rounds(20);
  expect(plant.errors()).toEqual([expect.stringMatching(/given up after 3 tries: its registers are right/)]);
  await plant.rounds(40, 10);
  expect(plant.limitPct()).toBe(60);
  expect(plant.said('Register', 'over by its timer')).toEqual([]);
});

test('what was given up is tried again after a while, and at once when it was away', async () => {
  await begin({ behaviours: ['changes-nothing'] });
  plant.schedule(POWER, scheduleOf([SUNNY, '15%']));
  await plant.control();
  await plant.rounds(10);
  plant.now += 15 * 60_000;
  await plant.rounds(3);
  expect(plant.said('Result', 'check')).toHaveLength(4);
  await plant.stopPlant();
  await plant.rounds(1);
  await plant.start();
  await plant.rounds(6);
  expect(plant.said('Result', 'check')).toHaveLength(7);
});

test.each<[Behaviour, string[]]>([
  ['function-6-only', ['6', '6', '6']],
  ['function-16-only', ['16', '16', '16']],
])('an inverter with %s takes the other function', async (behaviour, codes) => {
  await begin({ behaviours: [behaviour] });
  plant.schedule(POWER, scheduleOf([SUNNY, '15%']));
  await plant.control();
  await plant.rounds(3);
  expect([plant.limitPct(), plant.said('Function', 'write'), plant.errors()]).toEqual([15, codes, []]);
});

test('an inverter that listens to the enable alone gets it from 0 to 1', async () => {
  await begin({ behaviours: ['enable-edge'] });
  plant.schedule(POWER, scheduleOf([SUNNY, '60%'], [SUNNY + 30_000, '20%']));
  await plant.control(plant.config({ settle: 5 }));
  await plant.rounds(60);
  expect(plant.limitPct()).toBe(20);
  expect(plant.said('Result', 'check')).toEqual([
    'not testable yet',
    'followed',
    'not testable yet',
    'not followed',
    'not testable yet',
    'followed',
  ]);
});

test('in local mode nothing is written, which is told once', async () => {
  await begin({ slug: 'riverside', behaviours: ['local-mode'] });
  plant.schedule(POWER, scheduleOf([SUNNY, '50%']));
  await plant.control();
  await plant.rounds(4);
  expect(plant.errors()).toEqual([expect.stringMatching(/local mode/)]);
  expect(plant.limitPct()).toBe(100);
});

test('a limit that the factory left enabled at 100 % is the original, and comes back', async () => {
  await begin({ behaviours: ['factory-enabled'] });
  plant.schedule(POWER, scheduleOf([SUNNY, '50%'], [SUNNY + 10_000, '']));
  await plant.control();
  await plant.rounds(2);
  expect(kept().channels.setpoint_activepower.original.owner).toBe('inverter');
  await plant.rounds(12);
  expect(plant.controls.state(1, plant.now).points).toMatchObject({ WMaxLim_Ena: 1, WMaxLimPct: 10_000 });
});

test('another controller is noticed and told, never fought, and not undone at the end', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '50%'], [SUNNY + 500_000, '']));
  await plant.control();
  await plant.rounds(5);
  plant.writes({ WMaxLimPct: 8000, WMaxLimPct_RvrtTms: 0 });
  await plant.rounds(100, 3);
  expect(plant.limitPct()).toBe(80);
  expect(plant.errors()).toEqual([
    expect.stringMatching(/another controller wrote: WMaxLimPct is 8000 instead of 5000/),
  ]);
  // Nor after a start.
  await plant.control();
  await plant.rounds(10);
  expect(plant.limitPct()).toBe(80);
  plant.now = SUNNY + 500_000;
  await plant.rounds(3);
  expect(plant.limitPct()).toBe(80);
  expect(plant.said('Result', 'release')).toEqual(['left as another controller wrote it']);
});

test('a new setpoint is written over what another controller left, which then is the original', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '50%'], [SUNNY + 60_000, '30%'], [SUNNY + 120_000, '']));
  await plant.control();
  await plant.rounds(5);
  plant.writes({ WMaxLimPct: 8000, WMaxLimPct_RvrtTms: 0 });
  await plant.rounds(60);
  expect(plant.limitPct()).toBe(30);
  expect(kept().channels.setpoint_activepower.original).toMatchObject({ owner: 'another controller' });
  await plant.rounds(60);
  expect(plant.limitPct()).toBe(80);
});

test('after another controller a new order of the same value is written, and a renewal is not', async () => {
  const under = (until: number): [number, string][] => [
    [until, '50%'],
    [until + 60_000, '40%'],
  ];
  plant.schedule(POWER, scheduleOf([SUNNY - 1000, '20%'], ...under(SUNNY + 900_000)));
  await plant.control();
  await plant.rounds(5);
  plant.writes({ WMaxLimPct: 8000, WMaxLimPct_RvrtTms: 0 });
  await plant.rounds(2);
  plant.schedule(POWER, scheduleOf([SUNNY - 1000, '20%'], ...under(SUNNY + 990_000)));
  await plant.rounds(3);
  // Nor after a start.
  await plant.control();
  await plant.rounds(3);
  expect(plant.limitPct()).toBe(80);
  plant.schedule(POWER, scheduleOf([SUNNY + 8000, '20%'], [SUNNY + 990_000, '']));
  await plant.rounds(3);
  expect(plant.limitPct()).toBe(20);
  expect(kept().channels.setpoint_activepower.original).toMatchObject({ owner: 'another controller' });
});

test('registers that wear are written on change only, counted, and left alone after the last of a day', async () => {
  const entries = Array.from({ length: 8 }, (_, index): [number, string] => [
    SUNNY + index * 20_000,
    `${20 + index}%`,
  ]);
  plant.schedule(POWER, scheduleOf(...entries));
  await plant.control(
    plant.config({ classes: { setpoint_activepower: 'persistent' }, persistent_writes_a_day: 5 }),
  );
  await plant.rounds(200);
  expect(plant.limitPct()).toBe(24);
  expect(plant.said('Written', 'write')).toEqual(['2000', '1', '2100', '2200', '2300', '2400']);
  expect(plant.said('Register', 'renew')).toEqual([]);
  expect(plant.errors()).toEqual([expect.stringMatching(/WMaxLimPct wears, and was written 5 times today/)]);
  expect(kept().wear).toEqual({ day: '2026-03-06', writes: { WMaxLimPct: 5, WMaxLim_Ena: 1 } });
  // A start does not write again what is there.
  await plant.control(plant.config({ classes: { setpoint_activepower: 'persistent' } }));
  plant.now = SUNNY + 145_000;
  await plant.rounds(3);
  expect(plant.said('Written', 'write').slice(6)).toEqual(['2700']);
});

test('a stop is written on a day that has had its last write, and is counted', async () => {
  const entries = [20, 30, 40, 0].map((value, index): [number, string] => [
    SUNNY + index * 20_000,
    `${value}%`,
  ]);
  plant.schedule(POWER, scheduleOf(...entries));
  await plant.control(
    plant.config({ classes: { setpoint_activepower: 'persistent' }, persistent_writes_a_day: 2 }),
  );
  await plant.rounds(50);
  expect(plant.limitPct()).toBe(30);
  await plant.rounds(20);
  expect([plant.limitPct(), kept().wear.writes.WMaxLimPct]).toEqual([0, 3]);
});

test('a power cut while nobody looked is no foreign write, nor is what its timer has let go', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '50%']));
  await plant.control();
  await plant.rounds(3);
  plant.writes({ WMaxLimPct: 10_000, WMaxLimPct_RvrtTms: 0, WMaxLim_Ena: 0 });
  await plant.control();
  await plant.rounds(2);
  expect(plant.limitPct()).toBe(50);
  plant.writes({ WMaxLimPct: 10_000, WMaxLimPct_RvrtTms: 0, WMaxLim_Ena: 0 });
  plant.now += 121_000;
  await plant.rounds(2);
  expect([plant.limitPct(), plant.errors()]).toEqual([50, []]);
});

test('a file with a fault leaves what held, and its line is told; one that is removed ends it', async () => {
  plant.schedule(POWER, scheduleOf([SUNNY, '60%']));
  await plant.control();
  await plant.rounds(2);
  plant.schedule(POWER, scheduleOf([SUNNY, '60%'], [SUNNY + 10, '50%'], [SUNNY + 10, '40%']));
  await plant.rounds(3);
  expect(plant.limitPct()).toBe(60);
  expect(plant.errors()).toEqual([
    expect.stringMatching(/setpoint_activepower\.csv, line 4: .* is there twice/),
  ]);
  plant.schedule(POWER, 'datetime,value\n');
  await plant.rounds(3);
  expect(plant.limitPct()).toBe(100);
});

test('at night nothing is said to be followed', async () => {
  await begin({ at: Date.UTC(2026, 2, 6, 22) });
  plant.schedule(POWER, scheduleOf([plant.now, '60%']));
  await plant.control();
  await plant.rounds(40);
  expect(plant.limitPct()).toBe(60);
  expect(plant.said('Result', 'check')).toEqual(['not testable yet', 'not testable yet']);
});

test('a state that nobody can read keeps the plugin from writing', async () => {
  writeFileSync(stateFile(), '{"version":1,"inver');
  await expect(plant.control()).rejects.toThrow(/nothing is written until it is mended or removed/);
});

test('gone after any single write, what comes back knows the original, goes on, and gives it back', async () => {
  for (let writes = 1; ; writes++) {
    await begin({ behaviours: ['factory-enabled'] });
    plant.writes({ WMaxLimPct: 9000, WMaxLimPct_RmpTms: 7, WMaxLim_Ena: 1 });
    const before = plant.controls.state(1, plant.now).points;
    plant.schedule(POWER, scheduleOf([SUNNY, '60%'], [SUNNY + 90_000, '']));
    await plant.control();
    const { hasDied } = plant.dieAfter(writes);
    const rounds = async () => {
      while (plant.now < SUNNY + 100_000) await plant.rounds(1, 3);
    };
    await rounds().catch(() => {});
    const original = existsSync(stateFile()) ? kept().channels.setpoint_activepower?.original : undefined;
    if (hasDied() && original)
      expect(original).toMatchObject({ owner: 'another controller', registers: { WMaxLimPct: 9000 } });
    if (!hasDied()) break;
    await plant.control();
    await plant.rounds(1);
    if (plant.now < SUNNY + 90_000) expect(plant.limitPct()).toBeLessThan(90);
    await rounds();
    await plant.rounds(1);
    expect(plant.controls.state(1, plant.now).points).toEqual(before);
    expect([writes, plant.errors()]).toEqual([writes, []]);
  }
}, 60_000);

/** The plugin as a process of its own, at the present time. */
function service(): ChildProcess {
  const file = join(plant.folder, 'service');
  const config = join(plant.folder, 'control.yaml');
  writeFileSync(file, `config_file,output_directory,frequency\n${config},${join(plant.folder, 'logs')},1\n`);
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'service', file], {
    stdio: 'ignore',
  });
}

test('killed at any point of a write, the plugin never takes its own leftover for the original', async () => {
  plant.now = Date.now();
  const offset = SUNNY - Date.now();
  Object.defineProperty(plant, 'now', { get: () => Date.now() + offset });
  const config = plant.config({ revert: 600 }, { interval: 100 });
  writeFileSync(join(plant.folder, 'control.yaml'), config);
  // Each writes something else, so that every kill meets writes under way.
  for (let kill = 0; kill < 4; kill++) {
    plant.schedule(POWER, scheduleOf([Date.now() - 10_000, `${20 + kill}%`]));
    const child = service();
    const before = plant.controls.state(1, plant.now).points.WMaxLimPct;
    await vi.waitFor(() => expect(plant.controls.state(1, plant.now).points.WMaxLimPct).not.toBe(before), {
      timeout: 10_000,
      interval: 1,
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(kept().channels.setpoint_activepower.original.registers).toMatchObject({
      WMaxLimPct: 10_000,
      WMaxLim_Ena: 0,
    });
  }
  plant.schedule(POWER, 'datetime,value\n');
  const child = service();
  await vi.waitFor(() => expect(kept().channels).toEqual({}), { timeout: 10_000, interval: 20 });
  expect(plant.controls.state(1, plant.now).points).toMatchObject({ WMaxLimPct: 10_000, WMaxLim_Ena: 0 });
  const log = join(plant.folder, 'logs/control/roof/inv-1/latest.csv');
  await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toMatch(/restored/), { timeout: 10_000 });
  child.kill('SIGTERM');
  await once(child, 'exit');
}, 60_000);

test('browse lists the paths of setpoints, and every fault of a configuration is named', async () => {
  const file = join(plant.folder, 'control.yaml');
  plant.schedule(POWER, scheduleOf([SUNNY, '60%']));
  writeFileSync(file, plant.config());
  const { out } = await runCaptured(pvControlPlugin, ['browse', file]);
  expect(out.split('\n')[1]).toBe(
    `${POWER},schedule,true,60%,${join(plant.folder, 'schedules', `${POWER}.csv`)},`,
  );
  const { out: spec } = await runCaptured(pvControlPlugin, ['spec']);
  const [{ default: sample }] = JSON.parse(spec).cmdSpec.actionSpecs.shared.mandatory;
  expect(parseConfig(sample, 'f').providers).toHaveLength(1);
  writeFileSync(
    file,
    'interval: 5\nproviders: [{name: a, type: fixed, setpoint_activepower: 120%, color: red}]\ninverters: [{name: ../x, endpoint: h}]\n',
  );
  const { code, err } = await runCaptured(pvControlPlugin, ['discover', file]);
  expect(code).toBe(2);
  expect(err).toMatch(/interval: [\s\S]*"120%" is outside 0 to 100 %[\s\S]*color[\s\S]*inverters\.0\.name/);
});
