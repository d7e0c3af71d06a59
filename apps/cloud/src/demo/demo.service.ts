import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newBoard } from '@albedo/contract/boards/boards.schema';
import { DEMO_WORKGROUP } from '@albedo/contract/demo/demo.names';
import { PRODUCT } from '@albedo/contract/product';
import { certificateFacts } from '@albedo/pki/certificate';
import { ALL_DEVICES } from '../access/device-scope.ts';
import type { Boards } from '../boards/boards.service.ts';
import type { Calculations } from '../calculations/calculations.service.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import type { Devices } from '../devices/devices.service.ts';
import type { Energy } from '../energy/energy.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { Kpis } from '../kpis/kpis.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import { type IdentityRequest, identityFiles, PACK_SOURCES, pluginsRootOf } from '../packs/packs.service.ts';
import type { UsersStore } from '../users/users.store.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { demoBoards } from './demo.boards.ts';
import { DEMO_CALCULATIONS } from './demo.calculations.ts';
import { prepareEnergy, readMeters } from './demo.energy.ts';
import type { DemoFilling } from './demo.filling.ts';
import { DEMO_KPIS } from './demo.kpis.ts';
import { DEMO_DEVICES, type DemoDevice } from './demo.plants.ts';
import { DEMO_LABELS, DEMO_MACHINES, demoEntities } from './demo.portfolio.ts';

/** Categories of plugins that its devices may install. */
const DEMO_PLUGINS = ['modbus', 'control', 'solar-inverters', 'plc', 'opc', 'iec', 'loggers', 'management'];
/** So much of the past is calculated, ms. */
const CALCULATED_MS = 30 * 86_400_000;
/** Who made what the demo brings along, in its versions and in the audit log. */
const DEMO_MAKER = { userId: '', email: 'demo', address: '' };

export interface DemoOptions {
  /** Where the demo's agents have their root folders. */
  agentsDir: string;
  ownerEmail: string;
  deviceLink: DeviceLink;
  users: UsersStore;
  workgroups: Workgroups;
  devices: Devices;
  certificates: Certificates;
  machines: Machines;
  entities: Entities;
  boards: Boards;
  kpis: Kpis;
  calculations: Calculations;
  energy: Energy;
  demo: DemoFilling;
}

/**
 * The demo workgroup with its devices, and for each of them the identity of its agent on this disk. What is there
 * already stays; only the address of the device link is brought up to date.
 */
export async function prepareDemo(options: DemoOptions): Promise<void> {
  const { deviceLink } = options;
  // The demo's agents run on this machine, whatever the rest of the world calls it.
  const mqtt =
    deviceLink.port === null ? deviceLink.address : { hostname: 'localhost', port: deviceLink.port };
  await options.workgroups.ensure(DEMO_WORKGROUP);
  const owner = await options.users.userByEmail(options.ownerEmail);
  if (owner) await options.workgroups.setMember(DEMO_WORKGROUP.name, owner.id, { role: 'owner' });
  for (const device of DEMO_DEVICES) await prepareDevice({ ...options, mqtt }, device);
  await preparePortfolio(options);
  const { energy, devices } = options;
  const ids = new Map(devices.list(DEMO_WORKGROUP.name, ALL_DEVICES).map(({ name, id }) => [name, id]));
  options.demo.follow(DEMO_DEVICES.flatMap(({ name, hasPast }) => (hasPast && ids.get(name)) || []));
  await prepareEnergy(energy, DEMO_WORKGROUP.name, ids, DEMO_MAKER);
  energy.onComputed(async (workgroup) => {
    if (workgroup === DEMO_WORKGROUP.name) await readMeters(energy, workgroup, ids, DEMO_MAKER);
  });
}

/** The tree of the demo's plants, unless the workgroup has one already. */
async function preparePortfolio(options: DemoOptions): Promise<void> {
  const { workgroups, machines, entities, devices, boards, kpis, calculations } = options;
  const { name: workgroup } = DEMO_WORKGROUP;
  await workgroups.equip(
    workgroup,
    {
      entities: {},
      machines: {},
      calculations: {},
      'daily-energy': {},
      'solar-reporting': {},
      'iec-perf-ratio': {},
      availability: {},
      'mppt-extract': {},
      schedules: {},
      'machine-plugins': { labels: DEMO_PLUGINS },
    },
    { labels: DEMO_LABELS, defaultPage: '/entities/dash3' },
  );
  if ((await kpis.list(workgroup)).length === 0)
    for (const kpi of DEMO_KPIS) await kpis.create(workgroup, kpi, DEMO_MAKER);
  if ((await calculations.list(workgroup)).length === 0)
    for (const calculation of DEMO_CALCULATIONS)
      await calculations.create(workgroup, calculation, DEMO_MAKER, Date.now() - CALCULATED_MS);
  const boardsNow = async () => {
    const ids = new Map((await kpis.list(workgroup)).map(({ name, _id }) => [name, _id]));
    return demoBoards(ids).map((board) => newBoard.parse(board));
  };
  if ((await entities.all(workgroup)).length > 0) {
    // Boards that nobody has changed are updated with each release.
    for (const board of await boardsNow()) await boards.renew(workgroup, board, DEMO_MAKER);
    return;
  }
  const known = new Map((await machines.list(workgroup)).map(({ name, _id }) => [name, _id]));
  for (const machine of DEMO_MACHINES)
    if (!known.has(machine.name))
      known.set(machine.name, (await machines.create(workgroup, machine, DEMO_MAKER))._id);
  const ids = new Map(devices.list(workgroup, ALL_DEVICES).map(({ name, id }) => [name, id]));
  await entities.seed(workgroup, demoEntities(ids, known), DEMO_MAKER);
  for (const board of await boardsNow()) await boards.add(workgroup, board, DEMO_MAKER);
}

async function prepareDevice(
  options: DemoOptions & { mqtt: IdentityRequest['mqtt'] },
  { slug, name, info }: DemoDevice,
): Promise<void> {
  const { devices, certificates, agentsDir } = options;
  const workgroup = DEMO_WORKGROUP.name;
  let id = devices.list(workgroup, ALL_DEVICES).find((device) => device.name === name)?.id;
  if (id === undefined) {
    const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';
    ({ id } = await devices.create(workgroup, { name, arch, ced: false }, null));
    await devices.setSetting({ workgroup, id, scope: ALL_DEVICES }, 'info', info, null);
  }
  const root = join(agentsDir, slug);
  if (await holdsIdentity(root, id, certificates)) return refreshAddress(root, options.mqtt);

  const { certPem, keyPem } = await certificates.issue(id, workgroup);
  const { mqtt } = options;
  const pluginsRoot = pluginsRootOf(PACK_SOURCES);
  for (const file of identityFiles({ caPem: certificates.caPem, certPem, keyPem, mqtt, pluginsRoot })) {
    const path = join(root, file.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.content, { mode: file.mode });
    await chmod(path, file.mode);
  }
}

/** True when the folder's certificate is the good one of the device. */
async function holdsIdentity(root: string, id: string, certificates: Certificates): Promise<boolean> {
  const newest = certificates.newest(id);
  try {
    const pem = await readFile(join(root, `etc/${PRODUCT}/keys/client.crt`), 'utf8');
    return newest?.revokedAt === null && newest.serial === certificateFacts(pem).serial;
  } catch {
    // A folder that is missing or damaged simply gets a new identity.
    return false;
  }
}

/** Puts the present address of the device link into the agent's configuration; the rest of it stays. */
async function refreshAddress(root: string, mqtt: IdentityRequest['mqtt']): Promise<void> {
  const path = join(root, `etc/${PRODUCT}/${PRODUCT}.yaml`);
  const text = await readFile(path, 'utf8');
  const fresh = text
    .replace(/^( +hostname:).*$/m, `$1 ${JSON.stringify(mqtt.hostname)}`)
    .replace(/^( +port:).*$/m, `$1 ${mqtt.port}`);
  if (fresh !== text) await writeFile(path, fresh);
}
