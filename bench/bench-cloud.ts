import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@albedo/cloud/config/config';
import { type Cloud, startCloud } from '@albedo/cloud/start';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { pino } from 'pino';

const OWNER = { email: 'bench@albedo.local', password: 'bench-password-1' };
/** The first owner's. */
export const WORKGROUP = 'main';

/** The real cloud in this process, on a temporary folder and free ports, and its first owner. */
export class BenchCloud {
  readonly cloud: Cloud;
  readonly #folder: string;
  token = '';
  /** Headers that every change carries besides. */
  forgery: Readonly<Record<string, string>> = {};

  private constructor(cloud: Cloud, folder: string) {
    this.cloud = cloud;
    this.#folder = folder;
  }

  /** Variables of the environment may be given. */
  static async start(env: Record<string, string> = {}): Promise<BenchCloud> {
    const folder = mkdtempSync(join(tmpdir(), 'albedo-bench-'));
    const config = readConfig({
      ALBEDO_PORT: '0',
      ALBEDO_MQTT_PORT: '0',
      ALBEDO_DATA: folder,
      ALBEDO_OWNER_EMAIL: OWNER.email,
      ALBEDO_OWNER_PASSWORD: OWNER.password,
      ...env,
    });
    const cloud = await startCloud(config, pino({ level: 'warn' }, pino.destination(2)));
    const bench = new BenchCloud(cloud, folder);
    await bench.#signIn();
    return bench;
  }

  async #signIn(): Promise<void> {
    const version = await fetch(`${this.cloud.url}${API_PREFIX}/version`);
    const cookies = version.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const forgery = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length);
    this.forgery = { cookie: cookies.join('; '), 'x-xsrf-token': decodeURIComponent(forgery ?? '') };
    const reply = await fetch(`${this.cloud.url}${API_PREFIX}${sessionsApi.login.url}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...this.forgery,
      },
      body: JSON.stringify(OWNER),
    });
    if (!reply.ok) throw new Error(`The bench cannot sign in: ${reply.status} ${await reply.text()}`);
    this.token = ((await reply.json()) as { token: string }).token;
  }

  /** A session of a member of a group of these devices. */
  async boundTo(devices: readonly string[]): Promise<string> {
    const { deviceGroups, sessions, users, workgroups } = this.cloud.features;
    const by = { userId: '', email: OWNER.email, address: '127.0.0.1' };
    const composition = { type: 'IN' as const, devices: [...devices] };
    const { _id: devGroup } = await deviceGroups.create(WORKGROUP, { name: 'Half', composition }, by);
    const account = {
      email: 'bound@albedo.local',
      name: 'Bound',
      passwordHash: null,
      defaultWorkgroup: null,
    };
    const user = await users.addUser(account);
    if (!user) throw new Error('The bench has no user to bind.');
    await workgroups.setMember(WORKGROUP, user.id, { role: 'readonly', permissions: ['read'], devGroup });
    return sessions.issue(user);
  }

  async stop(): Promise<void> {
    await this.cloud.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
