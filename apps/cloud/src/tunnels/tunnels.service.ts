import { createHash, randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { holds } from '@albedo/contract/access/permissions';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { tunnelTarget } from '@albedo/contract/tunnels/target';
import {
  type NewTunnel,
  type OpenedTunnel,
  TUNNEL_LIMITS,
  type Tunnel,
  type TunnelEnd,
} from '@albedo/contract/tunnels/tunnels.schema';
import type { Actor } from '../access/actor.ts';
import type { Approvals } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Shells } from '../shells/shells.service.ts';
import type { StepUp } from '../step-up/step-up.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { TunnelStream } from './tunnel-stream.ts';
import { type TunnelRow, type TunnelsStore, tunnelOf } from './tunnels.store.ts';
import { tunnelEnded } from './tunnels.topics.ts';

/** How often it is asked again whether what runs may go on, ms. */
const SWEEP_MS = 10_000;

export interface TunnelsOptions {
  store: TunnelsStore;
  deviceAsks: DeviceAsks;
  shells: Pick<Shells, 'demandOpen'>;
  stepUp: Pick<StepUp, 'takeConfirmation'>;
  approvals: Pick<Approvals, 'demand' | 'take'>;
  deviceGroups: DeviceGroups;
  workgroups: Pick<Workgroups, 'isSuspended'>;
  sessions: Pick<Sessions, 'scopeNow'>;
  registry: DeviceRegistry;
  health: Health;
  audit: Audit;
  bus: Bus;
  /** Address of a page on a host name of its own; null where the operator set none. */
  pageUrl: (label: string, token: string) => string | null;
}

export interface TunnelBy {
  workgroup: string;
  deviceId: string;
  session: SessionClaims;
  address: string;
}

/** Connections of people to ports in the networks of devices: who may, for how long, and what ran through them. */
export class Tunnels {
  readonly #options: TunnelsOptions;
  /** What runs through each tunnel in this process. */
  readonly #streams = new Map<string, Set<TunnelStream>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #sweep: NodeJS.Timeout | null = null;

  constructor(options: TunnelsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#sweep = setInterval(() => void this.#endWhatMayNot(), SWEEP_MS);
  }

  stop(): void {
    if (this.#sweep) clearInterval(this.#sweep);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const id of [...this.#streams.keys()]) this.cut(id);
  }

  /** Connections under way in this process. */
  get size(): number {
    return [...this.#streams.values()].reduce((sum, all) => sum + all.size, 0);
  }

  /**
   * Allows one tunnel: each takes a confirmation of its own. It is in the audit log, durably, when this resolves. Throws
   * `remote_access.off`, `device.offline`, `tunnel.too_many`, `tunnel.no_web_host`, `approval.needed`, `session.not_fresh`.
   */
  async open(by: TunnelBy, wanted: NewTunnel): Promise<OpenedTunnel> {
    const { store, shells, stepUp, approvals, health, audit, pageUrl } = this.#options;
    const { kind, host, port } = wanted;
    const way = { way: 'tunnel', target: tunnelTarget(wanted) } as const;
    const { workgroup, deviceId, session, address } = by;
    await shells.demandOpen(workgroup);
    if (!health.of(deviceId).online) throw new AppError('device.offline');
    if ((await store.countOpen(deviceId)) >= TUNNEL_LIMITS.open) throw tooMany();
    const token = randomBytes(32).toString('base64url');
    const label = kind === 'tcp' ? null : `${deviceId.slice(0, 8)}-${randomBytes(12).toString('hex')}`;
    const url = label === null ? null : pageUrl(label, token);
    if (label !== null && url === null) throw new AppError('tunnel.no_web_host');
    await approvals.demand(by, way);
    await stepUp.takeConfirmation(session);
    await approvals.take(by, way);
    const row = await store.open({
      ...{ workgroup, deviceId, userId: session._id, by: session.email, kind, host, port, label },
      tokenHash: hashOf(token),
      endsAt: new Date(Date.now() + TUNNEL_LIMITS.sessionMs),
    });
    await audit.settled(() =>
      audit.record({
        ...{ workgroup, device: deviceId, at: row.openedAt.getTime(), controller: 'remote_tunnel' },
        ...{ entity: row.id, action: 'open', attribute: 'tunnel', newValue: tunnelTarget(row) },
        ...{ by: session.email, address },
      }),
    );
    const timer = setTimeout(() => void this.#end(row.id, 'time'), TUNNEL_LIMITS.sessionMs);
    this.#timers.set(row.id, timer);
    return { tunnel: tunnelOf(row), token, url };
  }

  list(workgroup: string, deviceId: string): Promise<Tunnel[]> {
    return this.#options.store.list(workgroup, deviceId);
  }

  /** Throws `tunnel.not_found`. */
  async close(
    { workgroup, deviceId }: Pick<TunnelBy, 'workgroup' | 'deviceId'>,
    id: string,
    by: Actor,
  ): Promise<Tunnel> {
    const row = await this.#options.store.byId(id);
    if (row?.workgroup !== workgroup || row.deviceId !== deviceId) throw new AppError('tunnel.not_found');
    return tunnelOf((await this.#end(id, 'closed', by)) ?? row);
  }

  /** An owner switched remote access off. */
  async endAll(workgroup: string): Promise<void> {
    for (const row of await this.#options.store.endAll(workgroup, 'switched_off')) await this.#ended(row);
  }

  /** Ends what runs through the tunnel in this process. */
  cut(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    for (const stream of this.#streams.get(id) ?? []) stream.destroy(new AppError('tunnel.over'));
  }

  /** The tunnel of a program that shows its token. Throws `tunnel.over`. */
  async ofToken(token: string): Promise<TunnelRow> {
    const row = await this.#options.store.byToken(hashOf(token));
    if (row?.kind !== 'tcp') throw new AppError('tunnel.over');
    return row;
  }

  /** The tunnel of a page by the first part of its host name. Throws `tunnel.over`. */
  async ofLabel(label: string): Promise<TunnelRow> {
    const row = await this.#options.store.byLabel(label);
    if (!row || isOver(row)) throw new AppError('tunnel.over');
    return row;
  }

  /** Takes the token of an address, once, for one that the browser keeps. Throws `tunnel.link_used`. */
  async enter(row: TunnelRow, token: string): Promise<string> {
    const next = randomBytes(32).toString('base64url');
    if (!(await this.#options.store.enter(row.id, hashOf(token), hashOf(next))))
      throw new AppError('tunnel.link_used');
    return next;
  }

  /** Whether a browser shows the token of the page. */
  isShown(row: TunnelRow, token: string | undefined): boolean {
    return token !== undefined && hashOf(token) === row.tokenHash;
  }

  /** Ends a tunnel that may not lead anywhere any more. Throws `tunnel.over` then. */
  async endIfOver(row: TunnelRow): Promise<void> {
    const why = await this.#reasonToEnd(row);
    if (!why) return;
    await this.#end(row.id, why);
    throw new AppError('tunnel.over');
  }

  /**
   * One connection, once the device has made it. Throws `tunnel.over`, `tunnel.too_many`, `remote_access.off` and what a
   * device refuses with.
   */
  async connect(row: TunnelRow): Promise<TunnelStream> {
    await this.endIfOver(row);
    const { deviceAsks, store } = this.#options;
    const { id, deviceId, host, port } = row;
    const open = this.#streams.get(id) ?? new Set();
    if (open.size >= TUNNEL_LIMITS.connections) throw tooMany();
    this.#streams.set(id, open);
    const input = { host, port, never: this.#closedTo(deviceId) };
    const stream = new TunnelStream(deviceAsks, deviceId, input, row.endsAt.getTime() - Date.now());
    open.add(stream);
    // Whoever uses it hears of its end by other ways too.
    stream.on('error', () => {});
    stream.once('close', () => {
      open.delete(stream);
      if (open.size === 0) this.#streams.delete(id);
      store.carried(id, stream.down, stream.up).catch(() => {});
    });
    await stream.connected;
    if (row.attachedAt === null) await store.attached(id);
    return stream;
  }

  /** Networks that a device may not lead into: an agent that the cloud runs stands in the cloud's own. */
  #closedTo(deviceId: string): string[] {
    if (!this.#options.registry.known(deviceId)?.ced) return [];
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    return ['127.0.0.0/8', '::1/128', ...own.flatMap(({ cidr }) => (cidr ? [cidr] : []))];
  }

  /** Ends those that nothing ever connected through, and those in use whose bearer may not use them any more. */
  async #endWhatMayNot(): Promise<void> {
    const since = new Date(Date.now() - TUNNEL_LIMITS.attachMs);
    for (const row of await this.#options.store.endUnattached(since).catch(() => [])) await this.#ended(row);
    for (const id of [...this.#streams.keys()]) {
      const row = await this.#options.store.byId(id).catch(() => null);
      if (row === null) continue;
      const why = row ? await this.#reasonToEnd(row).catch(() => null) : 'closed';
      if (why) await this.#end(id, why).catch(() => {});
    }
  }

  /** Why it may not go on; null where it may. */
  async #reasonToEnd(row: TunnelRow): Promise<TunnelEnd | null> {
    const { shells, sessions, deviceGroups, workgroups, registry } = this.#options;
    const { workgroup, deviceId, userId } = row;
    if (isOver(row)) return row.end ?? 'time';
    const isOff = await shells.demandOpen(workgroup).then(
      () => false,
      () => true,
    );
    if (isOff) return 'switched_off';
    const scope = await sessions.scopeNow(userId, workgroup);
    if (!scope || !holds(scope, 'tunnel') || workgroups.isSuspended(workgroup)) return 'rights';
    if ((await registry.find(deviceId))?.workgroup !== workgroup) return 'rights';
    const isSeen =
      scope.devGroup === null || deviceGroups.scopeOfGroup(workgroup, scope.devGroup).has(deviceId);
    return isSeen ? null : 'rights';
  }

  async #end(id: string, why: TunnelEnd, by?: Actor): Promise<TunnelRow | undefined> {
    const row = await this.#options.store.end(id, why);
    if (row) await this.#ended(row, by);
    else this.cut(id);
    return row;
  }

  /** `by` is who closed it, whoever opened it; nobody did where it ended by itself. */
  async #ended(row: TunnelRow, by?: Actor): Promise<void> {
    const { audit, bus } = this.#options;
    this.cut(row.id);
    await bus.publish(tunnelEnded, { id: row.id });
    audit.record({
      ...{ workgroup: row.workgroup, device: row.deviceId, at: Date.now(), controller: 'remote_tunnel' },
      ...{
        entity: row.id,
        action: 'close',
        attribute: 'tunnel',
        oldValue: tunnelTarget(row),
        newValue: row.end,
      },
      ...(by ? { by: by.email, address: by.address } : { by: null }),
    });
  }
}

const isOver = ({ endedAt, endsAt }: TunnelRow): boolean =>
  endedAt !== null || endsAt.getTime() <= Date.now();

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const tooMany = (): AppError =>
  new AppError('tunnel.too_many', { count: TUNNEL_LIMITS.open, connections: TUNNEL_LIMITS.connections });
