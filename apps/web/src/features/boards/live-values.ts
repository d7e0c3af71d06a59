import { latestValuesApi } from '@albedo/contract/latest-values/latest-values.api';
import { useEffect, useMemo, useState } from 'react';
import { call } from '../../app/call.ts';
import { withLastState } from '../../app/last-state.ts';
import { onConnected, onEvent, request } from '../../app/socket.ts';
import type { StreamKey } from './lines.ts';

export interface Latest {
  value: number | string | null;
  /** Epoch ms. */
  eventAt: number;
}

/** What comes within this time is shown together, ms. */
const GATHER_MS = 250;
/** Streams that come into sight within this time are one question, ms. */
const TOGETHER_MS = 25;

/** The newest values of streams, for those who watch them. */
export interface LiveSource {
  /** Listens until the answer is called. */
  start(): () => void;
  get(stream: StreamKey): Latest | undefined;
  /** Calls `changed` when one of the streams has a new value, until the answer is called. */
  watch(streams: readonly StreamKey[], changed: () => void): () => void;
}

export const keyOf = ({ deviceId, table, source, field }: StreamKey): string =>
  `${deviceId}\n${table}\n${source}\n${field}`;

/**
 * The newest values of the streams of one board: asked for together, then told by the socket. Of devices that nobody looks
 * at nothing is told.
 */
export class LiveValues implements LiveSource {
  readonly #wg: string;
  readonly #values = new Map<string, Latest>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #devices = new Map<string, number>();
  readonly #asked = new Map<string, StreamKey>();
  readonly #news = new Set<string>();
  #asking: ReturnType<typeof setTimeout> | undefined;
  #telling: ReturnType<typeof setTimeout> | undefined;

  constructor(wg: string) {
    this.#wg = wg;
  }

  /** Listens to the socket until the answer is called. */
  start(): () => void {
    let wasConnected = false;
    const stops = [
      onEvent('device:latest', ({ deviceId, sources }) => {
        if (!this.#devices.has(deviceId)) return;
        for (const { table, source, values, eventAt } of sources)
          for (const [field, value] of Object.entries(values)) {
            const key = keyOf({ deviceId, table, source, field });
            if (this.#watchers.has(key)) this.#put(key, { value, eventAt });
          }
      }),
      onConnected(() => {
        for (const deviceId of this.#devices.keys()) watchDevice(deviceId);
        // Some were missed.
        if (wasConnected) for (const [key, stream] of this.#known()) this.#ask(key, stream);
        wasConnected = true;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#asking);
      clearTimeout(this.#telling);
      for (const deviceId of this.#devices.keys()) watchDevice(deviceId, true);
      this.#devices.clear();
    };
  }

  get(stream: StreamKey): Latest | undefined {
    return this.#values.get(keyOf(stream));
  }

  /** Calls `changed` when one of the streams has a new value, until the answer is called. */
  watch(streams: readonly StreamKey[], changed: () => void): () => void {
    for (const stream of streams) {
      const key = keyOf(stream);
      const watchers = this.#watchers.get(key) ?? new Set();
      if (watchers.size === 0) this.#ask(key, stream);
      watchers.add(changed);
      this.#watchers.set(key, watchers);
      const count = this.#devices.get(stream.deviceId) ?? 0;
      if (count === 0) watchDevice(stream.deviceId);
      this.#devices.set(stream.deviceId, count + 1);
    }
    return () => {
      for (const stream of streams) {
        const watchers = this.#watchers.get(keyOf(stream));
        watchers?.delete(changed);
        if (watchers?.size === 0) this.#watchers.delete(keyOf(stream));
        const count = this.#devices.get(stream.deviceId) ?? 0;
        if (count > 1) this.#devices.set(stream.deviceId, count - 1);
        else if (this.#devices.delete(stream.deviceId)) watchDevice(stream.deviceId, true);
      }
    };
  }

  *#known(): Iterable<[string, StreamKey]> {
    for (const key of this.#watchers.keys()) {
      const [deviceId = '', table = '', source = '', field = ''] = key.split('\n');
      yield [key, { deviceId, table, source, field }];
    }
  }

  #ask(key: string, stream: StreamKey): void {
    this.#asked.set(key, stream);
    this.#asking ??= setTimeout(() => void this.#askAll(), TOGETHER_MS);
  }

  async #askAll(): Promise<void> {
    this.#asking = undefined;
    const all = [...this.#asked];
    this.#asked.clear();
    // Only these properties: the server refuses others, which a watched stream may have.
    const streams = all.map(([, { deviceId, table, source, field }]) => ({
      ...{ device: deviceId, table, source, field },
    }));
    try {
      const ask = () => call(latestValuesApi.cached, { params: { wg: this.#wg }, body: { streams } });
      const values = await withLastState(`latest-values ${this.#wg} ${JSON.stringify(streams)}`, ask);
      all.forEach(([key], at) => {
        this.#put(key, values[at] ?? { value: null, eventAt: 0 });
      });
    } catch {
      // The next connection asks again; until then the widgets say that nothing is known.
      for (const [key] of all) if (!this.#values.has(key)) this.#put(key, { value: null, eventAt: 0 });
    }
    // Somebody waits for these.
    this.#tell();
  }

  #put(key: string, latest: Latest): void {
    const known = this.#values.get(key);
    if (known && known.eventAt > latest.eventAt) return;
    this.#values.set(key, latest);
    this.#news.add(key);
    this.#telling ??= setTimeout(() => this.#tell(), GATHER_MS);
  }

  #tell(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    const changed = new Set<() => void>();
    for (const key of this.#news) for (const watcher of this.#watchers.get(key) ?? []) changed.add(watcher);
    this.#news.clear();
    for (const watcher of changed) watcher();
  }
}

function watchDevice(deviceId: string, stop = false): void {
  // Refused or lost: the values stand still, and the next connection asks again.
  request('device:watch', stop ? { deviceId, stop } : { deviceId }).catch(() => {});
}

/** The newest values of streams, in their order; undefined until they are known. Nothing is watched while `isOn` is false. */
export function useLatest(
  live: LiveSource,
  streams: readonly StreamKey[],
  isOn: boolean,
): readonly (Latest | undefined)[] {
  const key = streams.map(keyOf).join('\t');
  const [version, setVersion] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the streams are named by their key.
  useEffect(() => {
    if (!isOn || streams.length === 0) return;
    return live.watch(streams, () => setVersion((one) => one + 1));
  }, [live, key, isOn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that there are others.
  return useMemo(() => streams.map((one) => live.get(one)), [live, key, version]);
}
