/**
 * Disks that are really full: small file systems in memory, mounted for the data folder of a cloud and for an agent.
 * Nothing ends, nothing is lost, the log says what is wrong, and all of it arrives once there is room again.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askServer } from '../apps/cloud/src/command-line/control.client.ts';
import { freePort } from '../scripts/testing/engines.ts';
import { Counter } from './harness/counter.ts';
import { until } from './harness/processes.ts';
import { Cloud, EdgeAgent } from './harness/product.ts';
import { SmallDisk, whyNoMount } from './harness/small-disk.ts';

/** Nobody has its key. */
const RECIPIENT = 'age1w0qya6929e62cjkwjfg75wj0etaynwa4fazrnrduf76fsfezrumsf3xf3w';

const refusal = whyNoMount();
if (refusal) console.log(`Skipped: full disks, because file systems cannot be mounted here: ${refusal}`);

describe.runIf(refusal === null)('a full disk', { timeout: 150_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-full-disk-'));
  const disks: SmallDisk[] = [];
  let cloudDisk: SmallDisk;
  let agentDisk: SmallDisk;
  let cloud: Cloud;
  let agent: EdgeAgent;
  let counter: Counter;

  const arrives = async () => {
    await counter.isStored();
    await counter.isInLedger();
  };

  beforeAll(async () => {
    cloudDisk = new SmallDisk(join(folder, 'cloud'), 600);
    disks.push(cloudDisk);
    agentDisk = new SmallDisk(join(folder, 'edge'), 24);
    disks.push(agentDisk);
    const ports = [await freePort(), await freePort()] as const;
    cloud = new Cloud({ data: join(cloudDisk.path, 'data'), httpPort: ports[0], mqttPort: ports[1] });
    await cloud.start();
    const wg = await cloud.signIn();
    agent = await EdgeAgent.install(cloud, wg, 'edge', folder);
    agent.program.start();
    counter = new Counter(cloud, agent, wg);
    counter.write(20);
    await arrives();
  }, 120_000);
  afterAll(async () => {
    await agent?.program.end('SIGTERM');
    await cloud?.program.end('SIGTERM');
    for (const disk of disks) disk.unmount();
    rmSync(folder, { recursive: true, force: true });
  });

  it('in the middle of a backup leaves nothing of it, says so, and the cloud goes on', async () => {
    const disk = new SmallDisk(join(folder, 'backups'), 1);
    disks.push(disk);
    const data = join(cloudDisk.path, 'data');
    const backup = async (to: string) => {
      const said: string[] = [];
      const args = ['--to', to, '--recipient', RECIPIENT];
      const code = await askServer(data, { command: 'backup create', args }, (line) => said.push(line));
      return { code, said: said.join(' '), left: existsSync(to) ? readdirSync(to) : [] };
    };
    counter.write(50);
    expect(await backup(disk.path)).toEqual({
      code: 1,
      said: `There is no room for a backup in ${disk.path}. Nothing of it was left there.`,
      left: [],
    });
    expect(readdirSync(data)).not.toContain('backup-staging');
    cloudDisk.fill();
    const elsewhere = join(folder, 'elsewhere');
    const unable = await backup(elsewhere);
    cloudDisk.free();
    expect(unable).toEqual({
      code: 1,
      said: `There is no room in ${data} for the copy of the records that a backup is made of.`,
      left: [],
    });
    expect(readdirSync(data)).not.toContain('backup-staging');
    await arrives();
    expect(await backup(elsewhere)).toMatchObject({ code: 0, left: [expect.stringMatching(/\.age$/)] });
  });

  it('of the cloud holds back what devices send until there is room', async () => {
    cloudDisk.fill();
    counter.write(200);
    await until(
      'the log says so',
      60,
      async () => /takes nothing|no space/i.test(cloud.program.output),
      counter.output,
    );
    expect(cloud.program.isRunning).toBe(true);
    counter.write(100);
    cloudDisk.free();
    await arrives();
    expect(cloud.program.isRunning).toBe(true);
  });

  it('of the cloud lets it start again when there is room', async () => {
    cloudDisk.fill();
    counter.write(50);
    await cloud.program.end('SIGKILL');
    cloud.program.start();
    await until(
      'it ends or waits',
      60,
      // With a full disk it is not ready, and says so.
      async () => !cloud.program.isRunning || (await fetch(`${cloud.base}/readyz`)).status > 0,
      counter.output,
    );
    cloudDisk.free();
    await cloud.ready();
    await cloud.signIn();
    await arrives();
  });

  it('of an agent holds back what it reads until there is room', async () => {
    await agent.program.end('SIGTERM');
    counter.write(1000);
    agentDisk.fill();
    agent.program.start();
    await until(
      'the log says so',
      30,
      async () => /full|cannot be written/i.test(agent.program.output),
      counter.output,
    );
    expect(agent.program.isRunning).toBe(true);
    agentDisk.free();
    counter.write(100);
    await arrives();
    expect(agent.program.isRunning).toBe(true);
  });
});
