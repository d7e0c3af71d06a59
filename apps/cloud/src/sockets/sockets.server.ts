import type { Server as HttpServer } from 'node:http';
import type { Access } from '@albedo/contract/access/access';
import { scopeIn } from '@albedo/contract/access/permissions';
import type { announcementsEvents } from '@albedo/contract/announcements/announcements.socket';
import type { ListName } from '@albedo/contract/lists/lists.socket';
import type { longActionsEvents } from '@albedo/contract/long-actions/long-actions.socket';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { SOCKET_PATH, type SocketAction, type SocketEvents } from '@albedo/contract/sockets/action';
import { whenHeld } from '@albedo/postgres/together';
import proxyAddress from '@fastify/proxy-addr';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import { Server, type Socket } from 'socket.io';
import type { z } from 'zod';
import { mayRead } from '../access/check.ts';
import { bearerToken, type Guard } from '../access/guard.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { trustedProxies } from '../http/server.ts';
import type { Settled } from '../http/settled.ts';
import { listRoomsOf, type TellList } from './lists.ts';
import { isOwnPage } from './origin.ts';
import { Outlet } from './outlet.ts';
import { type ActionHandler, type Actions, dataOf, type Refused, SocketCalls } from './sockets.calls.ts';
import {
  deviceRoom,
  groupListRoom,
  groupRoom,
  listRoom,
  readersRoom,
  sessionRoom,
  unboundRoom,
  userRoom,
  waitingRoom,
  workgroupRoom,
} from './sockets.rooms.ts';
import { type Narrowings, narrowed, type Teller } from './teller.ts';

/** How tickets begin. */
const TICKET = 'ticket.';
/** What a timer can wait at most, about 25 days; the socket of a token that lives longer connects again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What processes of one installation tell one another: channels of Redis are the same for all of its databases. */
function adapterOf(redis: RedisClientType, installation: string) {
  const name = `albedo:${installation}:${redis.options?.database ?? 0}`;
  return createAdapter(redis, { streamName: name, channelPrefix: name });
}

/**
 * The socket server: who may connect, the calls of the contract, and events by workgroup.
 *
 * A socket belongs to one workgroup. It ends with its session: when that is revoked or expires.
 */
export class Sockets {
  readonly #calls: SocketCalls;
  readonly #io: Server;
  readonly #log: Logger;
  readonly #addressTokens: boolean;
  /** Events that not everybody in a workgroup may hear, with who may. */
  readonly #readers = new Map<string, Access>();
  #attached: Guard | null = null;
  #stopped: Promise<void> | void | null = null;
  readonly #isTrusted: ReturnType<typeof proxyAddress.compile>;

  constructor(options: {
    log: Logger;
    redis: RedisClientType | null;
    /** Tells this installation from others on the same Redis. */
    installation: string;
    bus: Bus;
    /** As with HTTP. */
    trustedProxies: readonly string[];
    /** Where people reach the server. */
    publicUrl: () => string;
    /** Programs may give their token in the address, as the specification has it; they do by default. */
    addressTokens?: boolean;
    /** What can be called, by default everything of the contract. */
    actions?: Readonly<Record<string, SocketAction>>;
  }) {
    this.#log = options.log;
    this.#addressTokens = options.addressTokens ?? true;
    this.#isTrusted = proxyAddress.compile(trustedProxies(options.trustedProxies));
    this.#calls = new SocketCalls(options);
    this.#io = new Server({
      path: SOCKET_PATH,
      transports: ['websocket'],
      serveClient: false,
      cors: { origin: false },
      allowRequest: (request, done) => {
        const isAllowed = isOwnPage(request, options.publicUrl());
        done(isAllowed ? null : 'a page of another server', isAllowed);
      },
      maxHttpBufferSize: 1024 * 1024,
      perMessageDeflate: { threshold: 4096 },
      ...(options.redis ? { adapter: adapterOf(options.redis, options.installation) } : {}),
    });
    if (options.redis) options.bus.connect(this.#io);
  }

  /** Lets in whom the guard lets pass. Until then there is nobody to tell on this process. */
  attach(server: HttpServer, guard: Guard, settled?: Settled): void {
    this.#attached = guard;
    this.#calls.guard(guard, settled);
    this.#io.attach(server);
    this.#io.use((socket, next) => {
      this.#admit(socket).then(
        () => next(),
        (error) => next(error instanceof AppError ? refusalOf(error) : error),
      );
    });
    this.#io.on('connection', (socket) => {
      try {
        this.#serve(socket);
      } catch (err) {
        // What one connection throws ends that one alone.
        this.#log.error({ err }, 'a socket could not be served');
        socket.disconnect(true);
      }
    });
  }

  /** Answers the calls of an action; `onDenied` hears of those that the access-control rules do not allow. */
  on<K extends keyof Actions>(
    name: K,
    handler: ActionHandler<Actions[K]>,
    onDenied?: (call: Refused<Actions[K]>) => void,
  ): void {
    this.#calls.on(name, handler, onDenied);
  }

  /**
   * What tells the events of a feature, each narrowed to what members of a device group may see of it. With `access`, only
   * those hear them who have it.
   */
  teller<E extends SocketEvents>(events: E, narrowings: Narrowings<E>, access?: Access): Teller<E> {
    const name = Object.keys(events).join();
    if (access) this.#readers.set(name, access);
    const roomOf = (workgroup: string, group: string | null): string => {
      if (access) return readersRoom(workgroup, name, group);
      return group === null ? unboundRoom(workgroup) : groupRoom(workgroup, group);
    };
    return {
      emit: (workgroup, event, payload) => {
        const isOfAll = narrowings[event] === 'everyone' && !access;
        this.#io.to(isOfAll ? workgroupRoom(workgroup) : roomOf(workgroup, null)).emit(event, payload);
        if (isOfAll) return;
        for (const scope of this.#attached?.scopesIn(workgroup) ?? []) {
          const visible = narrowed(narrowings, event, payload, scope);
          if (visible !== null) this.#io.to(roomOf(workgroup, scope.groupId)).emit(event, visible);
        }
      },
      emitToGroup: (workgroup, groupId, event, payload) => {
        this.#io.to(roomOf(workgroup, groupId)).emit(event, payload);
      },
      tellWatchers: (device, event, payload) => {
        for (const socket of this.#watchersOf(device)) {
          const { session, workgroup, outlet } = dataOf(socket);
          const scope = this.#guard.scope(session, workgroup);
          // Asked when it goes out: it may have waited for a slow reader.
          outlet.offer(`${event} ${device}`, () => {
            const visible = scope.isAll ? payload : narrowed(narrowings, event, payload, scope);
            if (visible !== null) socket.emit(event, visible);
          });
        }
      },
    };
  }

  /** Tells all sockets of all workgroups, on every process. */
  emitToAll<K extends keyof typeof announcementsEvents>(
    event: K,
    payload: z.input<(typeof announcementsEvents)[K]>,
  ): void {
    this.#io.emit(event, payload);
  }

  /** `listChanged`, to be handed on. */
  readonly tellList: TellList = (list, workgroup, groups) =>
    void whenHeld(() => this.listChanged(list, workgroup, groups));

  /** Tells the sockets of a user, whichever workgroup they are in, on every process. */
  emitToUser<K extends keyof typeof longActionsEvents>(
    userId: string,
    event: K,
    payload: z.input<(typeof longActionsEvents)[K]>,
  ): void {
    this.#io.to(userRoom(userId)).emit(event, payload);
  }

  /** As `TellList` says; on every process. */
  listChanged(list: ListName, workgroup: string | null, groups: readonly (string | null)[] = []): void {
    const rooms = groups.flatMap((id) =>
      id === null || workgroup === null ? [] : [groupListRoom(workgroup, id)],
    );
    this.#io.to([listRoom(list, workgroup), ...rooms]).emit('list:changed', { list });
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
    return this.#attached ? this.#io.engine.clientsCount : 0;
  }

  /** To be called when any scope may have changed: calls about devices that are hidden from their caller now end. */
  scopesChanged(): void {
    this.#calls.recheck();
  }

  /** Ends the sockets of a session, or of a user but for the session that is spared; on this process. */
  end(who: { jti: string } | { userId: string; spared: string | null }): void {
    const room = 'jti' in who ? sessionRoom(who.jti) : userRoom(who.userId);
    const spared = 'spared' in who && who.spared !== null ? [sessionRoom(who.spared)] : [];
    this.#io.local.in(room).except(spared).disconnectSockets(true);
  }

  /** Ends all sockets; once, however often it is called. */
  async stop(): Promise<void> {
    this.#stopped ??= this.#attached ? this.#io.close() : this.#io.of('/').adapter.close();
    await this.#stopped;
  }

  get #guard(): Guard {
    if (!this.#attached) throw new Error('The sockets are not attached yet.');
    return this.#attached;
  }

  #readersRoomsOf(session: SessionClaims, workgroup: string, group: string | null): string[] {
    return [...this.#readers]
      .filter(([, access]) => mayRead(this.#guard, access, session, workgroup))
      .map(([events]) => readersRoom(workgroup, events, group));
  }

  #watchersOf(device: string): Socket[] {
    const { sockets, adapter } = this.#io.sockets;
    return [...(adapter.rooms.get(deviceRoom(device)) ?? [])].flatMap((id) => sockets.get(id) ?? []);
  }

  async #admit(socket: Socket): Promise<void> {
    const { token: inAddress, orgName } = socket.handshake.query;
    const given = inAddress ?? bearerToken(socket.handshake.headers.authorization);
    if (typeof given !== 'string' || given === '' || typeof orgName !== 'string') {
      throw new Error('unauthorised');
    }
    const ofTicket = await this.#guard.ticket(given);
    // Used or too old: the browser gets another one, unless its session is over.
    if (ofTicket === null && given.startsWith(TICKET)) throw new Error('ticket_needed');
    const token = ofTicket ?? given;
    const session = await this.#guard.session(token).catch(() => {
      throw new Error('invalid_token');
    });
    // The token of a session in an address ends up in logs: people come with a ticket.
    if (ofTicket === null && !session.apiToken) throw new Error('ticket_needed');
    if (ofTicket === null && inAddress !== undefined && !this.#addressTokens)
      throw new Error('token_in_address');
    if (!scopeIn(session, orgName)) throw new Error('unauthorised');
    const release = this.#guard.quotas.hold('sockets', session, orgName);
    socket.conn.once('close', release);
    // Its end may have been told before.
    if (socket.conn.readyState === 'closed') release();
    const address = proxyAddress(socket.request, this.#isTrusted);
    socket.data = { session, workgroup: orgName, token, address, outlet: new Outlet(socket) };
  }

  #serve(socket: Socket): void {
    const { session, workgroup, token } = dataOf(socket);
    const group = scopeIn(session, workgroup)?.devGroup ?? null;
    const devices = group === null ? unboundRoom(workgroup) : groupRoom(workgroup, group);
    const isOpen = this.#guard.isOpen(workgroup);
    const rooms = isOpen ? [workgroupRoom(workgroup), devices] : [waitingRoom(workgroup)];
    const lists = listRoomsOf(this.#guard, session, workgroup);
    const readers = isOpen ? this.#readersRoomsOf(session, workgroup, group) : [];
    void socket.join([...rooms, ...lists, ...readers, sessionRoom(session.jti), userRoom(session._id)]);
    // What ended the session before the socket was in its rooms passed it by.
    this.#guard.session(token).catch(() => socket.disconnect(true));
    // A board may watch hundreds of devices, each until the connection ends.
    socket.setMaxListeners(0);
    const gone = new AbortController();
    const leftMs = Math.max(0, session.exp * 1000 - Date.now());
    const expiry = setTimeout(() => socket.disconnect(true), Math.min(leftMs, LONGEST_TIMER_MS));
    socket.on('disconnect', () => {
      clearTimeout(expiry);
      gone.abort();
    });
    this.#calls.serve(socket, gone.signal);
  }
}

/** As the client reads it: `connect_error` with the body of an HTTP answer in its `data`. */
const refusalOf = ({ message, body }: AppError): Error => Object.assign(new Error(message), { data: body });
