import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permission, Role } from '@albedo/contract/access/permissions';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { type Logger, pino } from 'pino';
import { AUDIT_STREAM } from '../audit/audit.service.ts';
import { readConfig } from '../config/config.ts';
import { hashPassword } from '../secrets/passwords.ts';
import { type Cloud, startCloud } from '../start.ts';
import { prepareRecords } from './prepare-records.ts';

export const OWNER = { email: 'owner@example.org', password: 'a good long password' };

/** One running cloud in a temporary folder, and a client that behaves as a browser does. */
export interface TestCloud {
  cloud: Cloud;
  dataDir: string;
  /** The folder the built agent is looked for in. */
  agentDist: string;
  /** PEM of the key that session tokens are signed with. */
  signingKey(): string;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** A session token of a new user, member of the workgroups in these roles. */
  newUser(
    memberOf: Record<string, { role: Role; permissions?: Permission[]; devGroup?: string }>,
  ): Promise<string>;
  /** A session token of the account with this address; a new one has neither a password nor a workgroup. */
  tokenOf(email: string, name?: string): Promise<string>;
  /** A session token of the first owner. */
  owner(): Promise<string>;
  /** Runs no job and no round of the alerts from here on, so that records change by requests alone. */
  standStill(): Promise<void>;
  stop(): Promise<void>;
}

export interface CallOptions {
  token?: string | undefined;
  /** Sent as JSON, a form as it is. */
  body?: unknown;
  /** Leave the anti-forgery header out. */
  noCsrf?: boolean;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of all shapes
  body: any;
  bytes: Buffer;
}

/** Starts a cloud on free ports; variables of the environment may be given. */
export async function startTestCloud(
  env: Record<string, string> = {},
  { log = quiet(), ...options }: { webRoot?: string; log?: Logger } = {},
): Promise<TestCloud> {
  const dataDir = env.ALBEDO_DATA ?? mkdtempSync(join(tmpdir(), 'albedo-cloud-'));
  const agentDist = join(dataDir, 'built-agent');
  mkdirSync(agentDist, { recursive: true });
  const config = readConfig({
    ALBEDO_PORT: '0',
    ALBEDO_MQTT_PORT: '0',
    ALBEDO_DATA: dataDir,
    ALBEDO_OWNER_EMAIL: OWNER.email,
    ALBEDO_OWNER_PASSWORD: OWNER.password,
    ...env,
  });
  if (!config.databaseUrl) await prepareRecords(dataDir);
  const pluginsDir = join(dataDir, 'built-plugins');
  const cloud = await startCloud(config, log, {
    packSources: { agentDist, pluginsDir },
    // Nobody waits for a second batch to share an insert with.
    ingestLimits: { flushMs: 20 },
    ...options,
  });
  const client = new Client(cloud);

  return {
    cloud,
    dataDir,
    agentDist,
    signingKey: () => readFileSync(join(dataDir, 'secrets/session.pem'), 'utf8'),
    call: (method, path, options) => client.call(method, path, options),
    newUser: async (memberOf) => {
      const { users, workgroups, sessions } = cloud.features;
      const email = `${crypto.randomUUID()}@example.org`;
      const user = await users.addUser({
        email,
        name: 'Somebody',
        passwordHash: await password,
        defaultWorkgroup: null,
      });
      if (!user) throw new Error('the address is taken');
      for (const [name, member] of Object.entries(memberOf)) {
        await workgroups.ensure({ name, displayName: name });
        await workgroups.setMember(name, user.id, member);
      }
      return sessions.issue(user);
    },
    tokenOf: async (email, name = 'Somebody') => {
      const { users, sessions } = cloud.features;
      const account = { email, name, passwordHash: null, defaultWorkgroup: null };
      const user = (await users.userByEmail(email)) ?? (await users.addUser(account));
      if (!user) throw new Error('the address is taken');
      return sessions.issue(user);
    },
    owner: async () => {
      const user = await cloud.features.users.userByEmail(OWNER.email);
      if (!user) throw new Error('there is no owner');
      return cloud.features.sessions.issue(user);
    },
    standStill: async () => {
      const { jobs, alertEngine, audit } = cloud.features;
      await Promise.all([jobs.stop(), alertEngine.stop()]);
      await audit.flush();
    },
    stop: async () => {
      await cloud.stop();
      if (!env.ALBEDO_DATA) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const quiet = (): Logger => pino({ level: process.env.TEST_LOG ?? 'silent' });

/** Password of the users that `newUser` makes. */
export const USER_PASSWORD = 'another good password';
const password = hashPassword(USER_PASSWORD);

/** The audit log of a workgroup, oldest first. */
export async function auditOf({ cloud }: TestCloud, workgroup: string): Promise<Record<string, unknown>[]> {
  const { audit, telemetry } = cloud.features;
  await audit.flush();
  const query = searchQuery.parse({ sort: 'event_time', rows: 10_000 });
  return (await telemetry.asSystem('export', workgroup).search(AUDIT_STREAM.table, query)).records;
}

/** Puts stand-ins for the built agent where packs are made from. */
export function buildAgent({ agentDist }: TestCloud): void {
  for (const file of ['agent.mjs', 'install.sh', 'albedo.service']) {
    writeFileSync(join(agentDist, file), `# ${file}\n`);
  }
  writeFileSync(join(agentDist, 'version.json'), JSON.stringify({ version: '9.9.9' }));
}

class Client {
  readonly #cloud: Cloud;
  #csrf: string | null = null;

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const { token, body, noCsrf = false } = options;
    const response = await fetch(this.#cloud.url + (path.startsWith('/') ? path : `${API_PREFIX}/${path}`), {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `bearer ${token}` }),
        ...(method === 'GET' || noCsrf ? {} : await this.#csrfHeaders()),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.includes('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(bytes.toString()) : bytes.toString(),
      bytes,
    };
  }

  async #csrfHeaders(): Promise<Record<string, string>> {
    if (this.#csrf === null) {
      const { headers } = await fetch(`${this.#cloud.url}${API_PREFIX}/version`);
      this.#csrf = /XSRF-TOKEN=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
    }
    return { cookie: `XSRF-TOKEN=${this.#csrf}`, 'x-xsrf-token': this.#csrf };
  }
}
