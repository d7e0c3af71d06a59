import type { Endpoint, EndpointInput, EndpointReply } from '@albedo/contract/http/endpoint';
import { ApiError, call } from '../../../app/call.ts';

export interface ConnectionState {
  /** Since when the server has not answered, epoch ms; null while it does. */
  awaySince: number | null;
  /** Why the link opens nothing any more, in words; null while it does. */
  ended: string | null;
}

/** Until the server is asked again, ms. */
const AGAIN_MS = 5000;
const PATIENCE_MS = 30_000;

/** How a display reaches the server: by the token of its link, and again and again while the server is away. */
export class DisplayConnection {
  readonly #token: string;
  readonly #watchers = new Set<() => void>();
  #state: ConnectionState = { awaySince: null, ended: null };

  constructor(token: string) {
    this.#token = token;
  }

  readonly state = (): ConnectionState => this.#state;

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Answers as soon as the server does. Errors: what the server refuses, and an end of the link. */
  async call<E extends Endpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    isWanted: () => boolean = () => true,
  ): Promise<EndpointReply<E>> {
    for (;;) {
      try {
        const reply = await call(endpoint, input, undefined, { timeout: PATIENCE_MS, token: this.#token });
        this.#change({ awaySince: null, ended: null });
        return reply;
      } catch (error) {
        if (!(error instanceof ApiError) || !isAway(error)) {
          if (error instanceof ApiError && isEnd(error))
            this.#change({ awaySince: null, ended: error.message });
          throw error;
        }
        this.#change({ ...this.#state, awaySince: this.#state.awaySince ?? Date.now() });
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        if (!isWanted()) throw error;
      }
    }
  }

  #change(next: ConnectionState): void {
    const { awaySince, ended } = this.#state;
    if (next.awaySince === awaySince && next.ended === ended) return;
    this.#state = next;
    for (const watcher of this.#watchers) watcher();
  }
}

/** The link is over, or does not work from here; what its dashboards ask no more is refused by itself. */
const isEnd = ({ code, error }: ApiError): boolean =>
  [401, 403].includes(code) && error !== 'display.not_asked';

/** Nobody answers, or a proxy or a server in trouble does. */
const isAway = ({ code }: ApiError): boolean => code === -1 || code === 429 || code >= 500;
