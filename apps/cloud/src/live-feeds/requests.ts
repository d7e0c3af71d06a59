import { randomUUID } from 'node:crypto';
import type { DeviceMeta } from '@albedo/contract/devices/meta.schema';
import type { ReplyMessage, RequestMessage } from '@albedo/contract/link/link.messages';
import { AppError } from '../errors/app-error.ts';

/** A device ends a command so much earlier than nobody waits for it any more, to have time to say so, s. */
const ANSWER_S = 1;
/** Source: specification 2, section 9. */
const META_TIMEOUT_MS = 120_000;

interface Waiting<T> {
  device: string;
  resolve: (answer: T) => void;
  reject: (error: Error) => void;
}

/** Requests to devices that wait for an answer. */
export class Requests {
  readonly #ask: (device: string, request: RequestMessage) => Promise<boolean>;
  readonly #replies = new Map<string, Waiting<ReplyMessage>>();
  readonly #metas = new Map<string, Waiting<DeviceMeta>>();

  constructor(ask: (device: string, request: RequestMessage) => Promise<boolean>) {
    this.#ask = ask;
  }

  /** Runs a command; `timeoutS` is how long its answer is waited for. Throws `device.offline` and `device.no_answer`. */
  command(
    device: string,
    command: { cmd: string; timeoutS: number; disown: boolean },
    signal: AbortSignal,
  ): Promise<ReplyMessage> {
    const correlationId = randomUUID();
    const timeoutS = Math.max(1, command.timeoutS - ANSWER_S);
    const request: RequestMessage = { action: 'cmd', correlationId, ...command, timeoutS };
    const timeoutMs = Math.max(timeoutS + ANSWER_S, command.timeoutS) * 1000;
    return this.#wait(this.#replies, { device, correlationId, request, timeoutMs, signal });
  }

  /** The meta as the device publishes it again. Throws `device.offline` and `device.no_answer`. */
  meta(device: string, signal: AbortSignal): Promise<DeviceMeta> {
    const correlationId = randomUUID();
    const request: RequestMessage = { action: 'refreshMeta', correlationId };
    return this.#wait(this.#metas, { device, correlationId, request, timeoutMs: META_TIMEOUT_MS, signal });
  }

  takeReply(device: string, reply: ReplyMessage): void {
    const waiting = this.#replies.get(reply.correlationId);
    if (waiting?.device === device && reply.complete) waiting.resolve(reply);
  }

  takeMeta(device: string, meta: DeviceMeta): void {
    for (const waiting of this.#metas.values()) if (waiting.device === device) waiting.resolve(meta);
  }

  /** Number of requests that wait. */
  get size(): number {
    return this.#replies.size + this.#metas.size;
  }

  async #wait<T>(
    waiting: Map<string, Waiting<T>>,
    call: {
      device: string;
      correlationId: string;
      request: RequestMessage;
      timeoutMs: number;
      signal: AbortSignal;
    },
  ): Promise<T> {
    const { device, correlationId, request, timeoutMs, signal } = call;
    const answer = Promise.withResolvers<T>();
    // The answer may fail while the request is still on its way out; it is awaited below all the same.
    answer.promise.catch(() => {});
    const timer = setTimeout(
      () => answer.reject(new AppError('device.no_answer', { seconds: Math.round(timeoutMs / 1000) })),
      timeoutMs,
    );
    const abort = () => answer.reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    waiting.set(correlationId, { device, resolve: answer.resolve, reject: answer.reject });
    try {
      if (!(await this.#ask(device, request))) throw new AppError('device.offline');
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      waiting.delete(correlationId);
    }
  }
}
