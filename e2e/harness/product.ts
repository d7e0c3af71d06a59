import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { completenessApi } from '@albedo/contract/completeness/completeness.api';
import type { Completeness } from '@albedo/contract/completeness/completeness.schema';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { SEARCH_ROWS } from '@albedo/contract/telemetry/search.schema';
import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import { OWNER } from '../owner.ts';
import { ApiCaller } from './api.ts';
import { Program, until } from './processes.ts';

const HOUSE = join(import.meta.dirname, '../..');

interface CloudPlace {
  /** Folder that the cloud keeps everything in. */
  data: string;
  httpPort: number;
  mqttPort: number;
  env?: Record<string, string>;
}

/** The cloud as its own process, without the demo. */
export class Cloud {
  readonly program: Program;
  readonly base: string;
  readonly api: ApiCaller;

  constructor({ data, httpPort, mqttPort, env = {} }: CloudPlace) {
    this.base = `http://127.0.0.1:${httpPort}`;
    this.api = new ApiCaller(this.base);
    this.program = new Program('cloud', [join(HOUSE, 'apps/cloud/src/main.ts')], {
      ALBEDO_DATA: data,
      ALBEDO_PORT: String(httpPort),
      ALBEDO_PUBLIC_URL: this.base,
      ALBEDO_MQTT_PORT: String(mqttPort),
      ALBEDO_OWNER_EMAIL: OWNER.email,
      ALBEDO_OWNER_PASSWORD: OWNER.password,
      ALBEDO_DEMO: '0',
      LOG_LEVEL: 'warn',
      ...env,
    });
  }

  async start(): Promise<void> {
    this.program.start();
    await this.ready();
  }

  completeness(wg: string, device: string): Promise<Completeness> {
    return this.api.call(completenessApi.get, { params: { wg, device } });
  }

  /** Values of one field of a source as they are stored, smallest first; at most 10,000. */
  async stored(at: { wg: string; table: string; device: string; source: string; field: string }) {
    const { wg, table, device, source, field } = at;
    const found = await this.api.call(telemetryApi.search, {
      params: { wg, table },
      query: {
        filters: [
          JSON.stringify({ field: 'device', operator: '=', value: device }),
          JSON.stringify({ field: 'source', operator: '=', value: source }),
        ],
        fields: [field],
        aggs: [],
        sort: field,
        rows: SEARCH_ROWS.max,
      },
    });
    return found.records.map((record) => Number(record[field]));
  }

  /** Waits until it answers; one that ended meanwhile is started again, as a service manager would. */
  async ready(): Promise<void> {
    await until(
      'the cloud is ready',
      90,
      async () => {
        if (!this.program.isRunning) this.program.start();
        return (await fetch(`${this.base}/readyz`)).ok;
      },
      () => this.program.output,
    );
  }

  /** Signs in as the first owner and answers the name of the owner's workgroup. */
  async signIn(): Promise<string> {
    await this.api.signIn(OWNER.email, OWNER.password);
    const [workgroup] = await this.api.call(workgroupsApi.list, {});
    if (!workgroup) throw new Error('The owner has no workgroup.');
    return workgroup.name;
  }
}

/** An agent on a root folder of its own, installed from the pack that the cloud made for it. */
export class EdgeAgent {
  readonly device: Device;
  readonly root: string;
  readonly program: Program;

  constructor(device: Device, root: string, env: Record<string, string> = {}) {
    this.device = device;
    this.root = root;
    const args = [join(HOUSE, 'apps/agent/src/main.ts'), 'run', '--root', root];
    this.program = new Program(device.name, args, env);
  }

  /** `env` is the environment of the agent. */
  static async install(
    cloud: Cloud,
    wg: string,
    name: string,
    folder: string,
    env: Record<string, string> = {},
  ): Promise<EdgeAgent> {
    const device = await cloud.api.call(devicesApi.create, { params: { wg }, body: { name } });
    const pack = await cloud.api.request(devicesApi.downloadPack, { params: { wg, device: device.id } });
    const file = join(folder, `${name}.tar.gz`);
    const root = join(folder, name);
    mkdirSync(root, { recursive: true });
    writeFileSync(file, Buffer.from(await pack.arrayBuffer()));
    // Not at a standstill: meanwhile the cloud closes connections that nobody uses, and the next call would take one of them.
    await promisify(execFile)('tar', ['-xzf', file, '-C', root, '--strip-components=1', 'albedo-agent/etc']);
    return new EdgeAgent(device, root, env);
  }

  /** Adds a line to the `latest.csv` of a source, with a header first when the file is new. */
  write(table: string, source: string, header: string, line: string): void {
    const folder = join(this.root, 'opt/albedo/logs', table, source);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'latest.csv');
    if (!existsSync(file)) writeFileSync(file, `# ${header}\n`);
    appendFileSync(file, `${line}\n`);
  }
}
