import { boardsActions } from '@albedo/contract/boards/boards.socket';
import { deviceConfigActions } from '@albedo/contract/device-config/device-config.socket';
import { devicesActions } from '@albedo/contract/devices/devices.socket';
import { pluginsActions } from '@albedo/contract/plugins/plugins.socket';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { shellsActions } from '@albedo/contract/shells/shells.socket';
import { SOCKET_TIMEOUT_MS, type SocketAction, type SocketReply } from '@albedo/contract/sockets/action';
import { telemetryActions } from '@albedo/contract/telemetry/telemetry.socket';
import { upgradesActions } from '@albedo/contract/upgrades/upgrades.socket';
import type { Logger } from 'pino';
import type { Socket } from 'socket.io';
import { z } from 'zod';
import { demandAccess } from '../access/check.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Guard } from '../access/guard.ts';
import { AppError } from '../errors/app-error.ts';
import { demandPlain } from '../errors/plain.ts';
import { invalid, issuesText, ownFailure, requestIssues } from '../errors/request-issues.ts';
import { atOnce, type Settled } from '../http/settled.ts';
import type { Outlet } from './outlet.ts';

/** Everything that can be called over the socket. */
export const socketActions = {
  ...devicesActions,
  ...deviceConfigActions,
  ...shellsActions,
  ...telemetryActions,
  ...boardsActions,
  ...upgradesActions,
  ...pluginsActions,
} satisfies Record<string, SocketAction>;

export type Actions = typeof socketActions;

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

/** One call that the access-control rules do not allow. */
export type Refused<A extends SocketAction = SocketAction> = Pick<
  ActionCall<A>,
  'request' | 'workgroup' | 'session' | 'address'
>;

const envelope = z.looseObject({ requestId: z.string().min(1).max(200) });

/** What is known of a socket from its connection on. */
export interface SocketData {
  session: SessionClaims;
  workgroup: string;
  token: string;
  address: string;
  outlet: Outlet;
}

export const dataOf = (socket: Socket): SocketData => socket.data as SocketData;

/** Calls that one socket may have open. */
const OPEN_CALLS = 200;

/** Answers the calls of the contract: each is checked again, has an end, and ends with its socket or device. */
export class SocketCalls {
  #asked: Guard | null = null;
  #settled: Settled = atOnce;
  readonly #log: Logger;
  readonly #actions: ReadonlyMap<string, SocketAction>;
  readonly #handlers = new Map<string, ActionHandler<SocketAction>>();
  readonly #onDenied = new Map<string, (call: Refused) => void>();
  /** Ends the calls that are open about devices which do not exist for their caller any more. */
  readonly #rechecks = new Set<() => void>();

  constructor(of: { log: Logger; actions?: Readonly<Record<string, SocketAction>> }) {
    this.#actions = new Map(Object.entries(of.actions ?? socketActions));
    this.#log = of.log;
  }

  /** Says whom to ask who may call what, before anybody calls, and what a call waits for before it is answered. */
  guard(guard: Guard, settled: Settled = atOnce): void {
    this.#asked = guard;
    this.#settled = settled;
  }

  get #guard(): Guard {
    if (!this.#asked) throw new Error('The sockets have no guard yet.');
    return this.#asked;
  }

  /** To be called when any scope may have changed: calls about devices that are hidden from their caller now end. */
  recheck(): void {
    for (const recheck of this.#rechecks) recheck();
  }

  /** `onDenied` hears of the calls that the access-control rules do not allow. */
  on<K extends keyof Actions>(
    name: K,
    handler: ActionHandler<Actions[K]>,
    onDenied?: (call: Refused<Actions[K]>) => void,
  ): void {
    this.#handlers.set(name, handler as unknown as ActionHandler<SocketAction>);
    if (onDenied) this.#onDenied.set(name, onDenied as (call: Refused) => void);
  }

  /** Answers what the socket calls until `gone`. */
  serve(socket: Socket, gone: AbortSignal): void {
    let open = 0;
    socket.onAny((name: string, message: unknown) => {
      if (open >= OPEN_CALLS) {
        refuse(socket, name, message, new AppError('request.too_many'));
        return;
      }
      open++;
      void this.#answer(socket, name, message, gone).finally(() => open--);
    });
  }

  async #answer(socket: Socket, name: string, message: unknown, gone: AbortSignal): Promise<void> {
    const action = this.#actions.get(name);
    const handler = this.#handlers.get(name);
    const head = envelope.safeParse(message);
    if (!head.success) return refuse(socket, name, message, invalid('issue.required', {}, 'requestId'));
    const { requestId, ...given } = head.data;
    const send = (reply: Omit<SocketReply, 'requestId'>) => socket.emit(name, { requestId, ...reply });

    const call = new AbortController();
    let recheck = () => {};
    let release = () => {};
    const timeoutMs = action?.timeoutMs ?? SOCKET_TIMEOUT_MS;
    const isOfDevice = typeof given.deviceId === 'string';
    const late = () =>
      isOfDevice
        ? new AppError('device.no_answer', { seconds: timeoutMs / 1000 })
        : new Error(`Timeout on ${name}`);
    const timer = setTimeout(() => call.abort(late()), timeoutMs);
    try {
      if (!action || !handler) throw new AppError('request.not_found');
      demandPlain(message);
      const request = parse(action.request, given);
      await this.#check(name, action, socket, request);
      const { quotas } = this.#guard;
      quotas.request(dataOf(socket).session, dataOf(socket).workgroup);
      if (action.isQuery) release = quotas.hold('queries', dataOf(socket).session, dataOf(socket).workgroup);
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
      const done = this.#settled(() =>
        handler({
          request,
          workgroup,
          session,
          scope,
          socket,
          address,
          outlet,
          signal,
          reply,
        } as ActionCall),
      );
      const data = await Promise.race([done, rejection(signal)]);
      recheck();
      signal.throwIfAborted();
      send(data === undefined ? { complete: true } : { data, complete: true });
    } catch (failure) {
      if (gone.aborted) return;
      send({ error: this.#errorOf(failure, name), complete: true });
    } finally {
      clearTimeout(timer);
      this.#rechecks.delete(recheck);
      release();
    }
  }

  /** Checked at every call, because a session may have ended since the socket connected. */
  async #check(name: string, action: SocketAction, socket: Socket, request: unknown): Promise<void> {
    const { workgroup, token, address } = dataOf(socket);
    const session = await this.#guard.session(token);
    const { deviceId: device } = request as { deviceId?: string };
    const asked = { session, workgroup, params: {}, body: request, device };
    try {
      await demandAccess(this.#guard, action.access, asked);
    } catch (failure) {
      const isDenied = failure instanceof AppError && failure.error === 'access.denied';
      if (isDenied)
        await this.#settled(() => this.#onDenied.get(name)?.({ request, workgroup, session, address }));
      throw failure;
    }
  }

  #errorOf(failure: unknown, action: string): NonNullable<SocketReply['error']> {
    if (failure instanceof AppError) return errorOf(failure);
    if (failure instanceof Error && failure.message === `Timeout on ${action}`)
      return { message: failure.message };
    this.#log.error({ err: failure, action }, 'socket call failed');
    return errorOf(new AppError('server.failed'));
  }
}

function errorOf({ status, body: { code, ...error } }: AppError): NonNullable<SocketReply['error']> {
  // A socket has no statuses; it gets a code of its own.
  return code === status ? error : { code, ...error };
}

function refuse(socket: Socket, name: string, message: unknown, failure: AppError): void {
  const requestId = envelope.safeParse(message).data?.requestId ?? '';
  socket.emit(name, { requestId, error: errorOf(failure), complete: true });
}

/** A device may leave the scope of a call while the call waits for it. */
function hasDevice(scope: DeviceScope, request: unknown): boolean {
  const { deviceId } = request as { deviceId?: string };
  return deviceId === undefined || scope.has(deviceId);
}

function parse<S extends z.ZodType>(schema: S, message: unknown): z.output<S> {
  const parsed = schema.safeParse(message);
  if (parsed.success) return parsed.data;
  const own = ownFailure(parsed.error.issues);
  if (own) throw own;
  const issues = requestIssues(parsed.error.issues);
  throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}
