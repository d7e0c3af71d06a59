import { displaysApi } from '@albedo/contract/displays/displays.api';
import type { StreamKey } from '../lines.ts';
import { keyOf, type Latest, type LiveSource } from '../live-values.ts';
import type { DisplayConnection } from './connection.ts';

/** How often a display asks for the newest values, ms. */
const EVERY_MS = 10_000;
/** Streams that come into sight within this time are one question, ms. */
const TOGETHER_MS = 25;

/** The newest values of a display, which has no socket. */
export class PolledValues implements LiveSource {
  readonly #connection: DisplayConnection;
  readonly #values = new Map<string, Latest>();
  readonly #watched = new Map<string, { stream: StreamKey; watchers: Set<() => void> }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isStopped = false;

  constructor(connection: DisplayConnection) {
    this.#connection = connection;
  }

  start(): () => void {
    this.#isStopped = false;
    this.#ask(TOGETHER_MS);
    return () => {
      this.#isStopped = true;
      clearTimeout(this.#timer);
    };
  }

  get(stream: StreamKey): Latest | undefined {
    return this.#values.get(keyOf(stream));
  }

  watch(streams: readonly StreamKey[], changed: () => void): () => void {
    for (const stream of streams) {
      const one = this.#watched.get(keyOf(stream)) ?? { stream, watchers: new Set() };
      one.watchers.add(changed);
      this.#watched.set(keyOf(stream), one);
    }
    if (streams.some((one) => !this.#values.has(keyOf(one)))) this.#ask(TOGETHER_MS);
    return () => {
      for (const stream of streams) {
        const one = this.#watched.get(keyOf(stream));
        one?.watchers.delete(changed);
        if (one?.watchers.size === 0) this.#watched.delete(keyOf(stream));
      }
    };
  }

  #ask(inMs: number): void {
    if (this.#isAsking || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#askAll(), inMs);
  }

  async #askAll(): Promise<void> {
    const all = [...this.#watched];
    if (all.length === 0) return this.#ask(EVERY_MS);
    this.#isAsking = true;
    const streams = all.map(([, { stream }]) => {
      const { deviceId: device, table, source, field } = stream;
      return { device, table, source, field };
    });
    const changed = new Set<() => void>();
    try {
      const values = await this.#connection.call(
        displaysApi.latest,
        { body: { streams } },
        () => !this.#isStopped,
      );
      for (const [at, [key]] of all.entries()) {
        const value = values[at] ?? { value: null, eventAt: 0 };
        const known = this.#values.get(key);
        if (known && known.eventAt >= value.eventAt) continue;
        this.#values.set(key, value);
        for (const watcher of this.#watched.get(key)?.watchers ?? []) changed.add(watcher);
      }
    } catch {
      // What ended the link is said for the whole display; the values stand as they are.
    }
    this.#isAsking = false;
    const isNew = [...this.#watched.keys()].some((key) => !this.#values.has(key));
    this.#ask(isNew ? 1000 : EVERY_MS);
    for (const watcher of changed) watcher();
  }
}
