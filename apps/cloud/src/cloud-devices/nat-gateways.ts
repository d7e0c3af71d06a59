import { networkInterfaces } from 'node:os';
import type {
  CedCloud,
  NatGateway,
  natAccess,
  newNatGateway,
} from '@albedo/contract/cloud-devices/cloud-devices.schema';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { reachOf } from '../outbound/outside-fetch.ts';
import type { NatGatewayRow, NatGatewaysStore } from './nat-gateways.store.ts';
import { listOf } from './reach.ts';

export interface NatGatewaysOptions {
  store: NatGatewaysStore;
  audit: Audit;
  /** Throws `cloud_device.cloud_unknown`. */
  cloud: (id: string) => CedCloud;
  /** Cloud devices reach whole networks of plants already. */
  hasLauncher: boolean;
  /** Has the cloud devices of a workgroup begin again. */
  onChange: (workgroup: string) => Promise<void>;
}

/**
 * Ways of workgroups' cloud devices to machines in the internet. A gateway adds its addresses to what the operator lets
 * cloud devices reach; it never leads into the operator's networks, to this machine, or to where the outbound gate leads
 * nobody, see docs/decisions/0055.
 */
export class NatGateways {
  readonly #options: NatGatewaysOptions;

  constructor(options: NatGatewaysOptions) {
    this.#options = options;
  }

  /** Throws `nat_gateway.not_found`. */
  async get(workgroup: string): Promise<NatGateway> {
    const row = await this.#options.store.get(workgroup);
    if (!row) throw new AppError('nat_gateway.not_found');
    return this.#shown(row);
  }

  /** What cloud devices of the workgroup reach through it in this cloud; null without one. */
  async networks(workgroup: string, cloud: string): Promise<string[] | null> {
    const row = await this.#options.store.get(workgroup);
    return row?.cloud === cloud ? row.allow : null;
  }

  /** Throws `cloud_device.cloud_unknown`, `nat_gateway.not_needed`, `nat_gateway.exists`, `nat_gateway.not_outside`. */
  async create(
    workgroup: string,
    { cedCloudId, allow }: z.output<typeof newNatGateway>,
    by: Actor,
  ): Promise<NatGateway> {
    const { store, cloud, hasLauncher, onChange } = this.#options;
    const { id } = cloud(cedCloudId);
    if (hasLauncher) throw new AppError('nat_gateway.not_needed');
    demandOutside(allow);
    const row = await store.add({ workgroup, cloud: id, allow, byEmail: by.email });
    if (!row) throw new AppError('nat_gateway.exists');
    this.#record(workgroup, by, 'start', null, allow);
    await onChange(workgroup);
    return this.#shown(row);
  }

  /** Throws `nat_gateway.not_found`, `nat_gateway.not_outside`. */
  async grant(workgroup: string, { allow }: z.output<typeof natAccess>, by: Actor): Promise<NatGateway> {
    demandOutside(allow);
    const before = await this.get(workgroup);
    const row = await this.#options.store.allow(workgroup, allow);
    if (!row) throw new AppError('nat_gateway.not_found');
    this.#record(workgroup, by, 'grant', before.allow, allow);
    await this.#options.onChange(workgroup);
    return this.#shown(row);
  }

  /** Throws `nat_gateway.not_found`. */
  async remove(workgroup: string, by: Actor): Promise<void> {
    const { allow } = await this.get(workgroup);
    await this.#options.store.remove(workgroup);
    this.#record(workgroup, by, 'stop', allow, null);
    await this.#options.onChange(workgroup);
  }

  #shown({ cloud, allow, byEmail, createdAt }: NatGatewayRow): NatGateway {
    return { cloud: this.#options.cloud(cloud), allow, by: byEmail, createdAt: createdAt.getTime() };
  }

  #record(
    workgroup: string,
    { email, address }: Actor,
    action: string,
    old: string[] | null,
    allow: string[] | null,
  ): void {
    const what = { controller: 'nat_gateway', entity: 'nat_gateway', attribute: 'allow', action };
    const values = { oldValue: old?.join(', ') ?? null, newValue: allow?.join(', ') ?? null };
    this.#options.audit.record({ workgroup, at: Date.now(), ...what, ...values, by: email, address });
  }
}

/**
 * The borders of what is not outside lie where none of these networks has them in its middle: its first address speaks
 * for all of it.
 */
function demandOutside(networks: readonly string[]): void {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const network of networks) {
    const isOutside = isNetwork(network) && reachOf(network.split('/')[0] ?? '') === 'public';
    const hasOwn = () =>
      own.some(({ address, family }) =>
        listOf([network]).check(address, family === 'IPv6' ? 'ipv6' : 'ipv4'),
      );
    if (!isOutside || hasOwn()) throw new AppError('nat_gateway.not_outside', { network });
  }
}

function isNetwork(network: string): boolean {
  try {
    listOf([network]);
    return true;
  } catch {
    return false;
  }
}
