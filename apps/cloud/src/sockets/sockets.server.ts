import type { Server as HttpServer } from 'node:http';
import { accessControlEvents } from '@albedo/contract/access-control/access-control.socket';
import { announcementsEvents } from '@albedo/contract/announcements/announcements.socket';
import { devicesActions, devicesEvents } from '@albedo/contract/devices/devices.socket';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import {
  SOCKET_PATH,
  SOCKET_TIMEOUT_MS,
  type SocketAction,
  type SocketReply,
} from '@albedo/contract/sockets/action';
import { workgroupsEvents } from '@albedo/contract/workgroups/workgroups.socket';
import proxyAddress from '@fastify/proxy-addr';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import { Server, type Socket } from 'socket.io';
import { z } from 'zod';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { DeviceScope } from '../device-groups/device-scope.ts';
import { devicesNarrowings } from '../devices/devices.scope.ts';
import { AppError } from '../http/app-error.ts';
import { checkAccess, type Guard } from '../http/guard.ts';
import { demandPlain } from '../http/plain.ts';
import { trustedProxies } from '../http/server.ts';
import type { Bus } from './bus.ts';
import type { Narrowings } from './narrowing.ts';
import { Outlet } from './outlet.ts';

/** Everything that can be called over the socket, and everything it tells. */
export const socketActions = { ...devicesActions } satisfies Record<string, SocketAction>;
export const socketEvents = {
  ...devicesEvents,
  ...workgroupsEvents,
  ...announcementsEvents,
  ...accessControlEvents,
};

export type Actions = typeof socketActions;
export type Events = { [K in keyof typeof socketEvents]: z.input<(typeof socketEvents)[K]> };

/** What of each event is told to who is bound to a device group. */
const narrowings: Narrowings<typeof socketEvents> = {
  ...devicesNarrowings,
  'workgroup:changed': 'everyone',
  announcement: 'everyone',
  'access-control:changed': 'everyone',
};

/** One call: everything checked. */
export interface ActionCall<A extends SocketAction = SocketAction> {
  request: z.output<A['request']>;
  workgroup: string;
  session: SessionClaims;
  /** The devices that exist for the caller; it follows every change. */
  scope: DeviceScope;
  socket: Socket;
  /** Client address the socket came from. */
  address: string;
  outlet: Outlet;
  /** Aborted when the socket goes or the call times out. */
  signal: AbortSignal;
  /** Sends one reply of several; after the first one the call has no timeout any more. */
  reply(data: z.input<A['reply']>): void;
}

/** The last reply is what the handler returns; a handler that replied before may return nothing. */
export type ActionHandler<A extends SocketAction> = (
  call: ActionCall<A>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler may end without a value
) => Promise<z.input<A['reply']> | void>;

const envelope = z.looseObject({ requestId: z.string().min(1).max(200) });

/** What a timer can wait at most, about 25 days; the socket of a token that lives longer connects again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls that one socket may have open. */
const OPEN_CALLS = 200;

/**
 * The socket server: who may connect, the calls of the contract, and events by workgroup.
 *
 * A socket belongs to one workgroup. It ends with its session: when that is revoked or expires.
 */
export class Sockets {
  readonly #guard: Guard;
  readonly #log: Logger;
  readonly #handlers = new Map<string, ActionHandler<SocketAction>>();
  readonly #io: Server;
  readonly #groups: DeviceGroups;
  readonly #isTrusted: ReturnType<typeof proxyAddress.compile>;
  /** Ends the calls that are open about devices which do not exist for their caller any more. */
  readonly #rechecks = new Set<() => void>();

  constructor(options: {
    server: HttpServer;
    guard: Guard;
    groups: DeviceGroups;
    log: Logger;
    redis: RedisClientType | null;
    bus: Bus;
    /** As with HTTP. */
    trustedProxies: readonly string[];
  }) {
    this.#guard = options.guard;
    this.#isTrusted = proxyAddress.compile(trustedProxies(options.trustedProxies));
    this.#groups = options.groups;
    options.groups.onChanged(() => {
      for (const recheck of this.#rechecks) recheck();
    });
    this.#log = options.log;
    this.#io = new Server(options.server, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      serveClient: false,
      cors: { origin: false },
      maxHttpBufferSize: 1024 * 1024,
      perMessageDeflate: { threshold: 4096 },
      ...(options.redis ? { adapter: createAdapter(options.redis) } : {}),
    });
    if (options.redis) options.bus.connect(this.#io);
    this.#io.use((socket, next) => {
      this.#admit(socket).then(() => next(), next);
    });
    this.#io.on('connection', (socket) => this.#serve(socket));
  }

  /** Answers the calls of an action. */
  on<K extends keyof Actions>(name: K, handler: ActionHandler<Actions[K]>): void {
    this.#handlers.set(name, handler as unknown as ActionHandler<SocketAction>);
  }

  /** Tells the sockets of a workgroup, on every process; those of a device group what its devices concerns. */
  emit<K extends keyof Events>(workgroup: string, event: K, payload: Events[K]): void {
    const isForEveryone = narrowings[event] === 'everyone';
    this.#io.to(isForEveryone ? workgroupRoom(workgroup) : unboundRoom(workgroup)).emit(event, payload);
    if (isForEveryone) return;
    for (const scope of this.#groups.scopesIn(workgroup)) {
      const visible = narrowed(event, payload, scope);
      if (visible !== null) this.emitToGroup(workgroup, scope.groupId, event, visible);
    }
  }

  /** Tells all sockets of all workgroups, on every process. */
  emitToAll<K extends keyof typeof announcementsEvents>(event: K, payload: Events[K]): void {
    this.#io.emit(event, payload);
  }

  /** Tells the sockets that are bound to a device group, on every process; the payload is theirs to know. */
  emitToGroup<K extends keyof Events>(
    workgroup: string,
    groupId: string,
    event: K,
    payload: Events[K],
  ): void {
    this.#io.to(groupRoom(workgroup, groupId)).emit(event, payload);
  }

  /** Tells the sockets of this process that watch the device, as long as it exists for them. */
  tellWatchers<K extends keyof Events>(device: string, event: K, payload: Events[K]): void {
    for (const id of this.#io.sockets.adapter.rooms.get(deviceRoom(device)) ?? []) {
      const socket = this.#io.sockets.sockets.get(id);
      if (!socket) continue;
      const { session, workgroup, outlet } = dataOf(socket);
      const scope = this.#guard.scope(session, workgroup);
      // Asked when it goes out: it may have waited for a slow reader.
      outlet.offer(`${event} ${device}`, () => {
        const visible = scope.isAll ? payload : narrowed(event, payload, scope);
        if (visible !== null) socket.emit(event, visible);
      });
    }
  }

  /**
   * Has all sockets of the workgroup connect again, on every process, because it was opened or closed. Those of one
   * that is closed hear of nothing but its opening.
   */
  reconnect(workgroup: string): void {
    const rooms = [workgroupRoom(workgroup), waitingRoom(workgroup)];
    this.#io.to(rooms).emit('workgroup:changed', { workgroup });
    this.#io.in(rooms).disconnectSockets(true);
  }

  /** Sockets connected to this process. */
  get count(): number {
    return this.#io.engine.clientsCount;
  }

  /** Ends the sockets of a session, or of a user but for the session that is spared; on this process. */
  end(who: { jti: string } | { userId: string; spared: string | null }): void {
    const room = 'jti' in who ? `session:${who.jti}` : `user:${who.userId}`;
    const spared = 'spared' in who && who.spared !== null ? [`session:${who.spared}`] : [];
    this.#io.local.in(room).except(spared).disconnectSockets(true);
  }

  async stop(): Promise<void> {
    await this.#io.close();
  }

  async #admit(socket: Socket): Promise<void> {
    const { token, orgName } = socket.handshake.query;
    if (typeof token !== 'string' || token === '' || typeof orgName !== 'string') {
      throw new Error('unauthorised');
    }
    const session = await this.#guard.session(token).catch(() => {
      throw new Error('invalid_token');
    });
    if (!session.scopes[orgName]) throw new Error('unauthorised');
    const address = proxyAddress(socket.request, this.#isTrusted);
    socket.data = { session, workgroup: orgName, token, address, outlet: new Outlet(socket) };
  }

  #serve(socket: Socket): void {
    const { session, workgroup, token } = dataOf(socket);
    const group = session.scopes[workgroup]?.devGroup ?? null;
    const devices = group === null ? unboundRoom(workgroup) : groupRoom(workgroup, group);
    const isOpen = this.#guard.isOpen(workgroup);
    const rooms = isOpen ? [workgroupRoom(workgroup), devices] : [waitingRoom(workgroup)];
    void socket.join([...rooms, `session:${session.jti}`, `user:${session._id}`]);
    // What ended the session before the socket was in its rooms passed it by.
    this.#guard.session(token).catch(() => socket.disconnect(true));
    const gone = new AbortController();
    const leftMs = Math.max(0, session.exp * 1000 - Date.now());
    const expiry = setTimeout(() => socket.disconnect(true), Math.min(leftMs, LONGEST_TIMER_MS));
    socket.on('disconnect', () => {
      clearTimeout(expiry);
      gone.abort();
    });
    let open = 0;
    socket.onAny((name: string, message: unknown) => {
      if (open >= OPEN_CALLS) {
        this.#refuse(socket, name, message, new AppError('request.too_many'));
        return;
      }
      open++;
      void this.#answer(socket, name, message, gone.signal).finally(() => open--);
    });
  }

  async #answer(socket: Socket, name: string, message: unknown, gone: AbortSignal): Promise<void> {
    const action: SocketAction | undefined = Object.hasOwn(socketActions, name)
      ? socketActions[name as keyof Actions]
      : undefined;
    const handler = this.#handlers.get(name);
    const head = envelope.safeParse(message);
    if (!head.success) return this.#refuse(socket, name, message, invalid('requestId: is missing'));
    const { requestId } = head.data;
    const send = (reply: Omit<SocketReply, 'requestId'>) => socket.emit(name, { requestId, ...reply });

    const call = new AbortController();
    let recheck = () => {};
    const timeoutMs = action?.timeoutMs ?? SOCKET_TIMEOUT_MS;
    const timer = setTimeout(() => call.abort(new Error(`Timeout on ${name}`)), timeoutMs);
    try {
      if (!action || !handler) throw new AppError('request.not_found');
      demandPlain(message);
      const request = parse(action.request, message);
      await this.#check(action, socket, request);
      const { session, workgroup, address, outlet } = dataOf(socket);
      const scope = this.#guard.scope(session, workgroup);
      recheck = () => {
        if (!hasDevice(scope, request)) call.abort(new AppError('device.not_found'));
      };
      this.#rechecks.add(recheck);
      const signal = AbortSignal.any([gone, call.signal]);
      const reply = (data: unknown) => {
        clearTimeout(timer);
        recheck();
        if (!signal.aborted) send({ data });
      };
      const done = handler({
        request,
        workgroup,
        session,
        scope,
        socket,
        address,
        outlet,
        signal,
        reply,
      } as ActionCall);
      const data = await Promise.race([done, rejection(signal)]);
      recheck();
      signal.throwIfAborted();
      send(data === undefined ? { complete: true } : { data, complete: true });
    } catch (failure) {
      if (gone.aborted) return;
      send({ error: { message: this.#messageOf(failure, name) }, complete: true });
    } finally {
      clearTimeout(timer);
      this.#rechecks.delete(recheck);
    }
  }

  /** Checked at every call, because a session may have ended since the socket connected. */
  async #check(action: SocketAction, socket: Socket, request: unknown): Promise<void> {
    const { workgroup, token } = dataOf(socket);
    const session = await this.#guard.session(token);
    checkAccess(action.access, session, workgroup);
    if (!this.#guard.isOpen(workgroup)) throw new AppError('workgroup.suspended');
    const { deviceId } = request as { deviceId?: string };
    if (deviceId === undefined) return;
    await this.#guard.device(workgroup, deviceId, this.#guard.scope(session, workgroup));
  }

  #refuse(socket: Socket, name: string, message: unknown, failure: AppError): void {
    const requestId = envelope.safeParse(message).data?.requestId ?? '';
    socket.emit(name, { requestId, error: { message: failure.message }, complete: true });
  }

  #messageOf(failure: unknown, action: string): string {
    if (failure instanceof AppError) return failure.message;
    if (failure instanceof Error && failure.message === `Timeout on ${action}`) return failure.message;
    this.#log.error({ err: failure, action }, 'socket call failed');
    return new AppError('server.failed').message;
  }
}

interface SocketData {
  session: SessionClaims;
  workgroup: string;
  token: string;
  address: string;
  outlet: Outlet;
}

const dataOf = (socket: Socket): SocketData => socket.data as SocketData;

const workgroupRoom = (workgroup: string): string => `workgroup:${workgroup}`;
const waitingRoom = (workgroup: string): string => `waiting:${workgroup}`;
/** Room of the sockets of a workgroup that are bound to no device group. */
const unboundRoom = (workgroup: string): string => `unbound:${workgroup}`;
/** Room of the sockets that are bound to one device group. */
const groupRoom = (workgroup: string, groupId: string): string => `group:${workgroup}:${groupId}`;
/** Room of the sockets that watch one device. */
export const deviceRoom = (device: string): string => `device:${device}`;

/** What of an event the scope may know of; null for nothing. */
function narrowed<K extends keyof Events>(
  event: K,
  payload: Events[K],
  scope: DeviceScope,
): Events[K] | null {
  const narrow = narrowings[event] as
    | 'everyone'
    | ((payload: Events[K], scope: DeviceScope) => Events[K] | null);
  return narrow === 'everyone' ? payload : narrow(payload, scope);
}

/** A device may leave the scope of a call while the call waits for it. */
function hasDevice(scope: DeviceScope, request: unknown): boolean {
  const { deviceId } = request as { deviceId?: string };
  return deviceId === undefined || scope.has(deviceId);
}

const invalid = (what: string) => new AppError('request.invalid', { what });

function parse<S extends z.ZodType>(schema: S, message: unknown): z.output<S> {
  const parsed = schema.safeParse(message);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((one) => `${one.path.join('.')}: ${one.message}`).join('; '));
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}
