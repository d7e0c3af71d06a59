/**
 * Pull any plug, and nothing is lost: the cloud, its broker and three agents run as processes while counters are
 * written into captured files; each is killed with SIGKILL at random moments and started again. Afterwards every count
 * stands in the store exactly once and the completeness ledger agrees. Once with the embedded broker, once with
 * Mosquitto as a process of its own.
 *
 * `ALBEDO_ENDURANCE_SECONDS` sets how long the killing goes on, for each of the two. Mosquitto has its turn in the long form
 * (`ALBEDO_TEST_LONG`); `shards.test.ts` kills beside it at every run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../scripts/testing/engines.ts';
import { hasMosquitto, mosquittoFor } from './harness/mosquitto.ts';
import { type Program, until } from './harness/processes.ts';
import { Cloud, EdgeAgent } from './harness/product.ts';

const SECONDS = Number(process.env.ALBEDO_ENDURANCE_SECONDS ?? 12);
const isLong = process.env.ALBEDO_TEST_LONG === '1';
const FEWEST_KILLS = 3;
const SOURCES = ['pump', 'valve'];
const LINES_A_SECOND = 20;
const HEADER = 'Datetime(date),count(integer)';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Plant {
  cloud: Cloud;
  wg: string;
  agents: EdgeAgent[];
  /** Everything that may be killed. */
  programs: Program[];
  stop(): Promise<void>;
}

describe('killing cloud, broker and agents at random moments', { timeout: (SECONDS + 240) * 1000 }, () => {
  it('leaves every event in the store exactly once, and a ledger that agrees', () => endure('embedded'));

  it.runIf(hasMosquitto && isLong)('does so with Mosquitto as the broker', () => endure('mosquitto'));
});

async function endure(broker: 'embedded' | 'mosquitto'): Promise<void> {
  const plant = await build(broker);
  try {
    const end = Date.now() + SECONDS * 1000;
    let isOver = false;
    const [written] = await Promise.all([
      write(plant, () => isOver),
      kill(plant, end).finally(() => {
        isOver = true;
      }),
    ]);
    for (const program of plant.programs) if (!program.isRunning) program.start();
    await plant.cloud.ready();
    await plant.cloud.signIn();
    await Promise.all(plant.agents.map((agent) => check(plant, agent, written)));
  } finally {
    await plant.stop();
  }
}

async function build(broker: 'embedded' | 'mosquitto'): Promise<Plant> {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-endurance-'));
  const data = join(folder, 'data');
  const mqttPort = await freePort();
  const programs: Program[] = [];
  let env: Record<string, string> = {};
  if (broker === 'mosquitto') {
    const mosquitto = await mosquittoFor(data, join(folder, 'mosquitto'), mqttPort);
    mosquitto.start();
    programs.push(mosquitto);
    env = { MQTT_URL: `mqtts://localhost:${mqttPort}` };
  }
  const cloud = new Cloud({ data, httpPort: await freePort(), mqttPort, env });
  programs.push(cloud.program);
  const agents: EdgeAgent[] = [];
  const stop = async () => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await cloud.start();
    const wg = await cloud.signIn();
    for (const name of ['north', 'south', 'west']) {
      const agent = await EdgeAgent.install(cloud, wg, name, folder);
      agent.program.start();
      agents.push(agent);
      programs.push(agent.program);
    }
    return { cloud, wg, agents, programs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Counts in every source of every agent until the killing is over; answers the last count. */
async function write({ agents }: Plant, isOver: () => boolean): Promise<number> {
  let count = 0;
  while (!isOver()) {
    count++;
    for (const agent of agents)
      for (const source of SOURCES)
        agent.write('counter', source, HEADER, `${new Date().toISOString()},${count}`);
    await pause(1000 / LINES_A_SECOND);
  }
  return count;
}

/** Kills until `end`, and a few times at least: on a slow machine a single start can last until then. */
async function kill({ programs, cloud }: Plant, end: number): Promise<void> {
  for (let kills = 0; kills < FEWEST_KILLS || Date.now() < end; ) {
    await pause(500 + Math.random() * 2000);
    const victim = programs[Math.floor(Math.random() * programs.length)];
    if (!victim) continue;
    await victim.end('SIGKILL');
    kills++;
    await pause(Math.random() * 1000);
    victim.start();
    // A cloud that never gets to its feet would test nothing but its start.
    if (victim === cloud.program && Math.random() < 0.7) await cloud.ready();
  }
}

async function check({ cloud, wg }: Plant, { device, program }: EdgeAgent, written: number): Promise<void> {
  const isComplete = { captured: written, stored: written, dropped: 0, setAside: 0 };
  let ledger: Awaited<ReturnType<Cloud['completeness']>> | undefined;
  const countersOf = () => (ledger?.streams ?? []).filter((stream) => stream.table === 'counter');
  await until(
    `everything of ${device.name} is stored and told`,
    180,
    async () => {
      ledger = await cloud.completeness(wg, device.id);
      const counters = countersOf();
      return (
        counters.length === SOURCES.length &&
        counters.every(({ captured, stored }) => captured >= written && stored >= written)
      );
    },
    () => [JSON.stringify({ written, ledger }, null, 1), cloud.program.output, program.output].join('\n'),
  );
  // Rows first: whether the store or the ledger is wrong is what a failure has to say.
  const { numberings, reused } = ledger ?? {};
  const said = [cloud.program.output, program.output].map((text) =>
    text.match(/^.*(?:number|copied|damaged).*$/gm),
  );
  const why = JSON.stringify({ numberings, reused, said }, null, 1);
  for (const source of SOURCES) {
    const counts = await cloud.stored({ wg, table: 'counter', device: device.id, source, field: 'count' });
    expect(counts, `${device.name} ${source} ${why}`).toEqual(
      Array.from({ length: written }, (_, index) => index + 1),
    );
  }
  const told = JSON.stringify({ ...ledger, streams: undefined });
  for (const stream of countersOf())
    expect(stream, `${device.name} ${stream.source} ${told}\n${cloud.program.output}`).toMatchObject(
      isComplete,
    );
  expect(ledger?.gaps, device.name).toEqual([]);
}
