/** An outbox that is really too small for an outage: every dropped event is reported, and the rest is stored. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../scripts/testing/engines.ts';
import { until } from './harness/processes.ts';
import { Cloud, EdgeAgent } from './harness/product.ts';

const STREAM = { table: 'burst', source: 'numbers' };
const A_RUN = 1000;
const EVENTS = 12 * A_RUN;
const TEXT = 'x'.repeat(200);

describe('an outbox of 1 MB while the cloud is away', { timeout: 150_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-outbox-full-'));
  const counter = join(folder, 'counter');
  let cloud: Cloud;
  let agent: EdgeAgent;
  let wg = '';

  const count = () => (existsSync(counter) ? Number(readFileSync(counter, 'utf8')) : 0);
  const output = () => `${count()}\n${cloud.program.output}\n${agent.program.output}`;

  beforeAll(async () => {
    const ports = [await freePort(), await freePort()] as const;
    cloud = new Cloud({ data: join(folder, 'data'), httpPort: ports[0], mqttPort: ports[1] });
    await cloud.start();
    wg = await cloud.signIn();
    agent = await EdgeAgent.install(cloud, wg, 'edge', folder);
    // A command cannot be made to wait, as files and sockets can.
    const command = [
      `n=$(cat ${counter} 2>/dev/null || echo 0)`,
      `[ $n -ge ${EVENTS} ] && exit`,
      `seq -f "%.0f,${TEXT}" $((n+1)) $((n+${A_RUN}))`,
      `echo $((n+${A_RUN})) > ${counter}`,
    ].join('; ');
    const fields = '[{name: n, expect: integer}, {name: s, expect: keyword}]';
    appendFileSync(
      join(agent.root, 'etc/albedo/albedo.yaml'),
      `\noutbox: {limit_mb: 1}\nrun:\n  - {table: ${STREAM.table}, source: ${STREAM.source}, frequency: 1, expect: csv, fields: ${fields}, command: '${command}'}\n`,
    );
    agent.program.start();
  }, 120_000);
  afterAll(async () => {
    await agent?.program.end('SIGTERM');
    await cloud?.program.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  it('drops the oldest, and the ledger accounts for every event', async () => {
    await until('the first events are there', 30, async () => count() >= A_RUN, output);
    await cloud.program.end('SIGKILL');
    await until('all events were captured', 60, async () => count() >= EVENTS, output);
    await cloud.ready();
    await cloud.signIn();
    const { stream, gaps } = await until(
      'the ledger accounts for all',
      90,
      async () => {
        const { streams, ...rest } = await cloud.completeness(wg, agent.device.id);
        const stream = streams.find(({ table }) => table === STREAM.table);
        const isSettled = stream?.captured === EVENTS && stream.stored + stream.dropped === EVENTS;
        return isSettled && { stream, gaps: rest.gaps };
      },
      output,
    );
    expect(stream.dropped).toBeGreaterThan(A_RUN);
    expect(stream.setAside).toBe(0);
    const ofStream = gaps.filter(({ table }) => table === STREAM.table);
    expect(new Set(ofStream.map(({ cause }) => cause))).toEqual(new Set(['outbox_full']));
    expect(ofStream.reduce((sum, { events }) => sum + (events ?? 0), 0)).toBe(stream.dropped);
    expect(gaps.filter(({ cause }) => cause === 'unexplained')).toEqual([]);

    const stored = await cloud.stored({ ...STREAM, wg, device: agent.device.id, field: 'n' });
    expect(new Set(stored).size).toBe(stream.stored);
    expect(stored.length).toBe(stream.stored);
    // The newest are kept.
    expect(stored.at(-1)).toBe(EVENTS);
  });
});
