import {
  type CedCloud,
  CLOUD_DEVICE_LIMITS,
  CLOUD_DEVICES_QUOTA,
  type CloudDevice,
  type cloudDeviceWish,
  type NetworkSettings,
  OWN_CLOUD,
} from '@albedo/contract/cloud-devices/cloud-devices.schema';
import { KEPT_FOR_MS } from '@albedo/contract/cloud-devices/keeper.schema';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { CloudDeviceRow, CloudDevicesStore, SecretKind } from './cloud-devices.store.ts';
import { cloudDeviceChanged } from './cloud-devices.topics.ts';
import { HostedDevice, type HostedState } from './hosted-device.ts';
import { HostedFolders } from './hosted-folders.ts';
import type { NatGatewaysStore } from './nat-gateways.store.ts';
import { NatGateways } from './nat-gateways.ts';
import { NetworkSecrets } from './network-secrets.ts';
import type { Reach } from './reach.ts';

/** How long this process keeps its devices without saying so again, ms. */
const TTL_MS = 30_000;
const LOOK_MS = 5000;

export interface CloudDevicesOptions {
  store: CloudDevicesStore;
  gateways: NatGatewaysStore;
  health: Pick<Health, 'note'>;
  certificates: Certificates;
  deviceLink: DeviceLink;
  seal: Seal;
  audit: Audit;
  bus: Bus;
  log: Logger;
  /** Folder of their folders. */
  home: string;
  agent: string;
  pluginOf: (name: string) => string;
  /** What joins the network of the plant; empty without one. */
  launcher: readonly string[];
  networks: readonly string[];
  /** Whether this process runs them. */
  isKeeper: boolean;
}

interface At {
  workgroup: string;
  device: string;
}

/**
 * Devices whose agents the cloud itself runs. One process keeps each of them, by a lease in the database; whoever wants
 * something of one writes it there and tells all, and the keeper acts.
 */
export class CloudDevices {
  readonly #options: CloudDevicesOptions;
  readonly #id = crypto.randomUUID();
  readonly #hosted = new Map<string, HostedDevice>();
  /** Those that began with the NAT gateway of their workgroup. */
  readonly #throughGateway = new Set<string>();
  readonly #secrets: NetworkSecrets;
  readonly #folders: HostedFolders;
  readonly natGateways: NatGateways;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  /** Until then no other process begins what this one keeps; epoch ms. */
  #keptUntil = 0;
  #isStopping = false;

  constructor(options: CloudDevicesOptions) {
    this.#options = options;
    const { gateways, audit, launcher, store } = options;
    this.#secrets = new NetworkSecrets(store, options.seal);
    this.#folders = new HostedFolders({ ...options, secrets: this.#secrets });
    this.natGateways = new NatGateways({
      store: gateways,
      audit,
      hasLauncher: launcher.length > 0,
      cloud: (id) => this.#cloud(id),
      onChange: async (workgroup) => {
        for (const device of await store.ofWorkgroup(workgroup)) await this.#tell(device, true);
      },
    });
  }

  clouds(): CedCloud[] {
    return [{ id: OWN_CLOUD, name: 'This server' }];
  }

  async start(): Promise<void> {
    if (!this.#options.isKeeper) return;
    await this.#folders.open(new Set(await this.#options.store.ids()));
    await this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
    // They go on with the next process: nobody wanted them to stop.
    await Promise.all([...this.#hosted.values()].map((one) => one.stop()));
    if (this.#options.isKeeper) await this.#options.store.release(this.#id);
  }

  /** Process ids by device, for tests and for whoever looks at the machine. */
  pids(): Map<string, number> {
    return new Map([...this.#hosted].flatMap(([id, { pid }]) => (pid === undefined ? [] : [[id, pid]])));
  }

  /** Throws `cloud_device.cloud_unknown`, `cloud_device.too_many`. */
  async demandRoom(workgroup: string, cloud: string | undefined): Promise<string> {
    const wanted = this.#cloud(cloud ?? OWN_CLOUD).id;
    if ((await this.#options.store.count(workgroup)) >= CLOUD_DEVICES_QUOTA)
      throw new AppError('cloud_device.too_many', { count: CLOUD_DEVICES_QUOTA });
    return wanted;
  }

  /** From now on the cloud runs the agent of this device; without a certificate only once somebody starts it. */
  async host(device: string, cloud: string, isWanted: boolean): Promise<void> {
    await this.#options.store.add({ deviceId: device, cloud, isWanted });
    await this.#tell(device);
  }

  /** Throws `cloud_device.not_found`. */
  async get(device: string): Promise<CloudDevice> {
    const row = await this.#row(device);
    const cloud = this.clouds().find(({ id }) => id === row.cloud) ?? { id: row.cloud, name: row.cloud };
    const { state, restarts, lastEnd, memoryMb, diskMb } = row;
    const since = row.since.getTime();
    return { cloud, state, since, restarts, lastEnd, memoryMb, diskMb, limits: CLOUD_DEVICE_LIMITS };
  }

  /** Throws `cloud_device.not_found`. */
  async wish(at: At, { action }: z.output<typeof cloudDeviceWish>, by: Actor): Promise<CloudDevice> {
    await this.#row(at.device);
    this.#record(at, by, { action, entity: 'cloud_device' });
    await this.#options.store.set(at.device, { isWanted: action !== 'stop' });
    await this.#tell(at.device, action === 'restart');
    await this.#looking;
    return this.get(at.device);
  }

  /** Throws `cloud_device.not_found`. */
  async network(device: string): Promise<NetworkSettings> {
    await this.#row(device);
    return this.#secrets.list(device);
  }

  /** Throws `cloud_device.not_found`, `cloud_device.secrets_full`. */
  async setSecret(
    at: At,
    kind: SecretKind,
    name: string,
    value: string,
    by: Actor,
  ): Promise<NetworkSettings> {
    await this.#row(at.device);
    await this.#secrets.set(at.device, kind, name, value);
    this.#record(at, by, { action: 'set', entity: `network_${kind}`, attribute: name });
    await this.#tell(at.device, true);
    return this.network(at.device);
  }

  /** Throws `cloud_device.not_found`, `cloud_device.secret_not_found`. */
  async removeSecret(at: At, kind: SecretKind, name: string, by: Actor): Promise<NetworkSettings> {
    await this.#row(at.device);
    await this.#secrets.remove(at.device, kind, name);
    this.#record(at, by, { action: 'remove', entity: `network_${kind}`, attribute: name });
    await this.#tell(at.device, true);
    return this.network(at.device);
  }

  /** Acts on what somebody wants of a device, here or in another process. */
  async changed({ device, isAnew }: { device: string; isAnew: boolean }): Promise<void> {
    if (!this.#options.isKeeper || this.#isStopping) return;
    const hosted = this.#hosted.get(device);
    const wasWanted = hosted?.isWanted === true;
    await this.look();
    // One that the look has begun knows already what has changed; one that was on its way may not. Nobody waits for an
    // agent that takes its time to end, least of all for those of a whole workgroup one after the other.
    if (isAnew && wasWanted && hosted.isWanted) void hosted.restart();
  }

  /** Ends what a device had that is gone, and deletes its folder. */
  async removed(device: string): Promise<void> {
    if (!this.#options.isKeeper) return;
    await this.#hosted.get(device)?.stop();
    this.#hosted.delete(device);
    await this.#folders.remove(device);
  }

  /** Starts and stops what it keeps, as it is wanted; one look after the other. */
  look(): Promise<void> {
    this.#looking = this.#looking
      .then(() => this.#look())
      .catch((err: Error) => this.#options.log.warn({ err }, 'the cloud devices could not be looked at'));
    return this.#looking;
  }

  async #look(): Promise<void> {
    if (this.#isStopping) return;
    // What it takes to ask is lost time: the lease begins there, not here.
    const askedAt = Date.now();
    const rows = await this.#options.store.keep(this.#id, TTL_MS);
    this.#keptUntil = askedAt + KEPT_FOR_MS;
    const kept = new Set(rows.map(({ deviceId }) => deviceId));
    for (const [id, one] of this.#hosted) {
      if (kept.has(id)) continue;
      await one.stop();
      this.#hosted.delete(id);
    }
    for (const one of this.#hosted.values()) one.kept();
    for (const row of rows) {
      let one = this.#hosted.get(row.deviceId);
      if (!one) {
        one = this.#make(row);
        this.#hosted.set(row.deviceId, one);
      }
      if (row.isWanted) {
        one.start();
        await one.watch();
      } else if (row.state !== 'stopped') await one.stop();
    }
  }

  #cloud(wanted: string): CedCloud {
    const found = this.clouds().find(({ id }) => id === wanted);
    if (!found) throw new AppError('cloud_device.cloud_unknown', { cloud: wanted });
    return found;
  }

  /** What the operator lets it connect to, and what its workgroup's NAT gateway leads to. */
  async #reach(device: string, workgroup: string, cloud: string): Promise<Reach> {
    const { launcher, networks } = this.#options;
    const through = await this.natGateways.networks(workgroup, cloud);
    if (through) this.#throughGateway.add(device);
    else this.#throughGateway.delete(device);
    return { isAll: launcher.length > 0, networks: [...networks, ...(through ?? [])] };
  }

  #make({ deviceId: device, workgroup, cloud }: CloudDeviceRow & { workgroup: string }): HostedDevice {
    const { agent, pluginOf, launcher, log } = this.#options;
    return new HostedDevice({
      root: this.#folders.of(device),
      ...{ agent, pluginOf, launcher, log },
      reach: () => this.#reach(device, workgroup, cloud),
      prepare: () => this.#folders.prepare(device, workgroup),
      onState: (change) => void this.#keepState(device, change),
      isKept: () => Date.now() < this.#keptUntil,
    });
  }

  async #keepState(device: string, { hasEnded, ...change }: HostedState): Promise<void> {
    const { store, health, log } = this.#options;
    try {
      const row = await store.get(device);
      if (!row) return;
      health.note(device, { gnat: change.state === 'running' && this.#throughGateway.has(device) });
      await store.set(device, {
        ...change,
        ...(change.state === row.state ? {} : { since: new Date() }),
        ...(hasEnded ? { restarts: row.restarts + 1 } : {}),
      });
    } catch (err) {
      log.warn({ err, device }, 'the state of a cloud device could not be kept');
    }
  }

  async #row(device: string): Promise<CloudDeviceRow> {
    const row = await this.#options.store.get(device);
    if (!row) throw new AppError('cloud_device.not_found');
    return row;
  }

  async #tell(device: string, isAnew = false): Promise<void> {
    await this.#options.bus.publish(cloudDeviceChanged, { device, isAnew });
  }

  #record(
    { workgroup, device }: At,
    { email: by, address }: Actor,
    what: { action: string; entity: string; attribute?: string },
  ): void {
    const entry = { workgroup, device, at: Date.now(), controller: 'cloud_device', ...what };
    this.#options.audit.record({ ...entry, by, address });
  }
}
