import type { accessControlEvents } from '@albedo/contract/access-control/access-control.socket';
import type { announcementsEvents } from '@albedo/contract/announcements/announcements.socket';
import type { approvalsEvents } from '@albedo/contract/approvals/approvals.socket';
import type { boardsActions } from '@albedo/contract/boards/boards.socket';
import type { demoEvents } from '@albedo/contract/demo/demo.socket';
import type { deviceConfigActions } from '@albedo/contract/device-config/device-config.socket';
import type { devicesActions, devicesEvents } from '@albedo/contract/devices/devices.socket';
import type { incidentsEvents } from '@albedo/contract/incidents/incidents.socket';
import type { listsEvents } from '@albedo/contract/lists/lists.socket';
import type { longActionsEvents } from '@albedo/contract/long-actions/long-actions.socket';
import type { schedulesEvents } from '@albedo/contract/schedules/schedules.socket';
import type { securityServicesEvents } from '@albedo/contract/security-services/security-services.socket';
import type { shellsActions, shellsEvents } from '@albedo/contract/shells/shells.socket';
import { SOCKET_PATH, SOCKET_TIMEOUT_MS, type SocketReply } from '@albedo/contract/sockets/action';
import type { upgradesActions } from '@albedo/contract/upgrades/upgrades.socket';
import type { workgroupsEvents } from '@albedo/contract/workgroups/workgroups.socket';
import { useSyncExternalStore } from 'react';
import type { Socket } from 'socket.io-client';
import type { z } from 'zod';
import { failureInWords, type Told } from './i18n.ts';
import { onReach } from './reach.ts';
import { signOut } from './session.ts';

type Actions = typeof devicesActions &
  typeof deviceConfigActions &
  typeof shellsActions &
  typeof boardsActions &
  typeof upgradesActions;
type Events = typeof devicesEvents &
  typeof workgroupsEvents &
  typeof announcementsEvents &
  typeof accessControlEvents &
  typeof approvalsEvents &
  typeof longActionsEvents &
  typeof incidentsEvents &
  typeof demoEvents &
  typeof listsEvents &
  typeof schedulesEvents &
  typeof securityServicesEvents &
  typeof shellsEvents;
export type ActionName = keyof Actions;
export type ActionRequest<A extends ActionName> = z.input<Actions[A]['request']>;
export type ActionReply<A extends ActionName> = z.output<Actions[A]['reply']>;
export type EventName = keyof Events;
export type EventPayload<E extends EventName> = z.output<Events[E]>;

/** `lost` is for a moment, such as a restart of the server; `offline` for as long as nothing answers. */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'offline';

interface Pending {
  action: string;
  onReply: (reply: SocketReply) => void;
  onFail: (error: Error) => void;
}

/** The library loads beside the first screen, which shows its figures without it. */
const loadLibrary = () => import('socket.io-client');

/** Stands for the current call of `connectSocket`; null once it has ended. */
let connection: object | null = null;
/** Null until the library is loaded. */
let socket: Socket | null = null;
/** Sent as soon as there is a socket. */
let unsent: [action: string, message: { requestId: string }][] = [];
let retry: ReturnType<typeof setTimeout> | undefined;
let state: ConnectionState = 'connecting';
/** When the connection was last lost, epoch ms. */
let lostAt: number | null = null;
const stateWatchers = new Set<() => void>();
const pending = new Map<string, Pending>();
const handlers = new Map<string, Set<(payload: never) => void>>();
/** Run at every connect: what was asked for has to be asked again of a new connection. */
const resumers = new Set<() => void>();

/** Between two attempts to connect, ms: the first pause, and the longest. */
const PAUSE_MS = { first: 300, longest: 10_000 } as const;
/** After so many attempts in vain, about five seconds, it is more than a moment. */
const OFFLINE_AFTER = 4;

/**
 * Connects for one workgroup; a connection for another one ends first. `ticket` is asked for at every attempt, because a
 * ticket opens one connection.
 */
export function connectSocket(ticket: () => Promise<string>, workgroup: string): void {
  disconnectSocket();
  change('connecting');
  const own = {};
  connection = own;
  let pauseMs: number = PAUSE_MS.first;
  let failures = 0;
  const connect = async () => {
    const [library, token] = await Promise.all([loadLibrary(), ticket()]).catch(() => []);
    if (connection !== own) return;
    if (!library || !token) return again();
    socket ??= open(library);
    socket.io.opts.query = { token, orgName: workgroup };
    socket.connect();
  };
  const again = () => {
    failures += 1;
    change(failures > OFFLINE_AFTER || navigator.onLine === false ? 'offline' : 'lost');
    clearTimeout(retry);
    retry = setTimeout(() => void connect(), pauseMs * (0.5 + Math.random()));
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest);
  };
  const open = ({ io }: Awaited<ReturnType<typeof loadLibrary>>): Socket => {
    const made = io({
      path: SOCKET_PATH,
      transports: ['websocket'],
      autoConnect: false,
      reconnection: false,
      forceNew: true,
    });
    made.on('connect', () => {
      pauseMs = PAUSE_MS.first;
      failures = 0;
      change('live');
      for (const resume of resumers) resume();
    });
    made.on('disconnect', () => {
      failAll('Socket disconnected');
      again();
    });
    made.on('connect_error', (error) => {
      if (!/unauthori[sz]ed|invalid_token/i.test(error.message)) return again();
      change('lost');
      signOut('expired');
    });
    made.onAny((event: string, payload: unknown) => receive(event, payload));
    for (const [action, message] of unsent) made.emit(action, message);
    unsent = [];
    return made;
  };
  connectNow = () => {
    clearTimeout(retry);
    pauseMs = PAUSE_MS.first;
    void connect();
  };
  void connect();
}

/** Connects without waiting for the next attempt. */
let connectNow: () => void = () => {};

/** Ends the connection and every open call; `connectSocket` begins another one. */
export function disconnectSocket(): void {
  clearTimeout(retry);
  socket?.removeAllListeners();
  socket?.disconnect();
  socket = null;
  connection = null;
  unsent = [];
  failAll('Socket disconnected');
}

/** True while the server can tell of changes. */
export const isLive = (): boolean => socket !== null && state === 'live';

// A connection without a network stays open for long: nobody says that it ended.
onReach({
  isOpen: isLive,
  gone: () => {
    if (isLive()) socket?.disconnect();
  },
  back: () => {
    if (state === 'lost' || state === 'offline') connectNow();
  },
});

export const useConnectionState = (): ConnectionState =>
  useSyncExternalStore(
    (watcher) => {
      stateWatchers.add(watcher);
      return () => stateWatchers.delete(watcher);
    },
    () => state,
  );

/** Since when nothing has come, epoch ms; null while it is connected, and for the first moments without. */
export const useOfflineSince = (): number | null => (useConnectionState() === 'offline' ? lostAt : null);

/** Calls `handler` for every event of that name, across reconnects; the answer stops it. */
export function onEvent<E extends EventName>(
  event: E,
  handler: (payload: EventPayload<E>) => void,
): () => void {
  const set = handlers.get(event) ?? new Set();
  handlers.set(event, set);
  set.add(handler);
  return () => set.delete(handler);
}

/** Runs now when connected, and again after every reconnect; the answer stops it. */
export function onConnected(resume: () => void): () => void {
  resumers.add(resume);
  if (state === 'live') resume();
  return () => resumers.delete(resume);
}

/**
 * One call over the socket that ends with its last reply.
 *
 * Errors: what the server says, 'Timeout on {action}', 'Socket disconnected', or the signal's reason.
 */
export function request<A extends ActionName>(
  action: A,
  args: ActionRequest<A>,
  { timeoutMs = SOCKET_TIMEOUT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<ActionReply<A>> {
  return new Promise((resolve, reject) => {
    let last: unknown = {};
    const end = send(action, args, {
      onReply: (reply) => {
        if (reply.data !== undefined) last = reply.data;
        if (!reply.complete) return;
        clearTimeout(timer);
        resolve(last as ActionReply<A>);
      },
      onFail: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    });
    const timer = setTimeout(async () => {
      const message = await failureInWords({ message: timeoutOf(action), error: LATE });
      end(new Error(message));
    }, timeoutMs + SERVER_FIRST_MS);
    signal?.addEventListener('abort', () => end(new Error('Aborted')), { once: true });
  });
}

/**
 * One call over the socket of which every reply counts; resolves after the last one.
 *
 * Errors: as `request`. There is no timeout: whoever asks gives a signal.
 */
export function requestEach<A extends ActionName>(
  action: A,
  args: ActionRequest<A>,
  onData: (data: ActionReply<A>) => void,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = send(action, args, {
      onReply: (reply) => {
        if (reply.data !== undefined) onData(reply.data as ActionReply<A>);
        if (reply.complete) resolve();
      },
      onFail: reject,
    });
    signal?.addEventListener('abort', () => end(new Error('Aborted')), { once: true });
  });
}

/**
 * A subscription of which every reply counts; it is asked for again after each reconnect until the answer is called.
 */
export function subscribe<A extends ActionName>(
  action: A,
  args: ActionRequest<A>,
  onData: (data: ActionReply<A>) => void,
  onError: (error: Error) => void,
): () => void {
  let end: (error?: Error) => void = () => {};
  const stopResuming = onConnected(() => {
    end = send(action, args, {
      onReply: (reply) => {
        if (reply.data !== undefined) onData(reply.data as ActionReply<A>);
      },
      onFail: onError,
    });
  });
  return () => {
    stopResuming();
    end();
  };
}

/** As `subscribe`, for what ends with its connection; the answer stops hearing it. */
export function subscribeOnce<A extends ActionName>(
  action: A,
  args: ActionRequest<A>,
  onData: (data: ActionReply<A>) => void,
  onError: (error: Error) => void,
): () => void {
  return send(action, args, {
    onReply: (reply) => {
      if (reply.data !== undefined) onData(reply.data as ActionReply<A>);
    },
    onFail: onError,
  });
}

/** Sends one request; the answer forgets it, with an error when one is given. */
function send(action: string, args: object, to: Omit<Pending, 'action'>): (error?: Error) => void {
  const requestId = crypto.randomUUID();
  if (!connection) {
    queueMicrotask(() => to.onFail(new Error('Socket disconnected')));
    return () => {};
  }
  pending.set(requestId, { action, ...to });
  const message = { requestId, ...args };
  if (socket) socket.emit(action, message);
  else unsent.push([action, message]);
  return (error) => {
    unsent = unsent.filter(([, { requestId: id }]) => id !== requestId);
    if (pending.delete(requestId) && error) to.onFail(error);
  };
}

function receive(event: string, payload: unknown): void {
  const requestId = (payload as { requestId?: unknown } | null)?.requestId;
  const waiting = typeof requestId === 'string' ? pending.get(requestId) : undefined;
  if (waiting?.action === event) {
    reply(waiting, payload as SocketReply);
    return;
  }
  for (const handler of handlers.get(event) ?? []) handler(payload as never);
}

function reply(waiting: Pending, answer: SocketReply): void {
  if (answer.error || answer.complete) pending.delete(answer.requestId);
  if (answer.error) {
    const isLate = answer.error.message === timeoutOf(waiting.action);
    void fail(waiting, isLate ? LATE : answer.error.error, answer.error);
  } else waiting.onReply(answer);
}

/** The server has the same limit and says what it waited for; it is heard first, ms. */
const SERVER_FIRST_MS = 1000;
/** Name, for other languages, of a call that took too long. */
const LATE = 'client.timed_out';
const timeoutOf = (action: string): string => `Timeout on ${action}`;

async function fail({ onFail }: Pending, error: string | undefined, told: Told): Promise<void> {
  onFail(new Error(await failureInWords({ ...told, error })));
}

function failAll(message: string): void {
  const waiting = [...pending.values()];
  pending.clear();
  for (const one of waiting) one.onFail(new Error(message));
}

function change(next: ConnectionState): void {
  if (state === 'live' && next !== 'live') lostAt = Date.now();
  if (next === 'live') lostAt = null;
  state = next;
  for (const watcher of stateWatchers) watcher();
}
