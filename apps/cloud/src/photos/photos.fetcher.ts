import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { isWholePhoto, photoTypeOf } from '@albedo/contract/photos/photo-type';
import { PHOTO_LIMITS, type PhotosWaiting, type WaitingPhoto } from '@albedo/contract/photos/photos.schema';
import { imageSize } from 'image-size';
import type { Logger } from 'pino';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import type { DeviceRegistry, RegisteredDevice } from '../registry/registry.ts';
import type { TellList } from '../sockets/lists.ts';
import type { NewPhoto, PhotosStore } from './photos.store.ts';

/** Devices that are asked for photos at the same time. */
const AT_ONCE = 4;
/** A picture that would take more room than this in a browser is none that a camera makes: pixels, and of one side. */
const PIXELS = 100e6;
const SIDE = 20_000;
/** What came of photos before a cut is kept for so long, ms, and so many bytes of it. */
const PART_MS = 10 * 60_000;
const PART_BYTES = 64 * 1024 * 1024;
/** What came as something else so often will never come right. */
const TRIES = 3;
const TELL_MS = 1000;
const DAY_MS = 86_400_000;
/** No clock of a device is right that is earlier. */
const EPOCH = Date.UTC(2000, 0, 1);

export interface PhotoFetcherOptions {
  store: PhotosStore;
  files: FileStore;
  deviceAsks: Pick<DeviceAsks, 'ask'>;
  registry: DeviceRegistry;
  tell: TellList;
  onStored: (bytes: number) => void;
  log: Logger;
}

/** What has come of a photo so far. */
interface Part {
  bytes: Buffer[];
  length: number;
  at: number;
}

/**
 * Fetches the photos that devices say are waiting: from a few devices at a time, newest first, and each device forgets one
 * when it is stored here. After a cut a photo goes on where it was. Everything is checked as if somebody hostile sent it.
 */
export class PhotoFetcher {
  readonly #options: PhotoFetcherOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #parts = new Map<string, Part>();
  readonly #failures = new Map<string, number>();
  /** Workgroups whose people do not know of the newest photos yet. */
  readonly #untold = new Set<string>();
  readonly #stopping = new AbortController();

  constructor(options: PhotoFetcherOptions) {
    this.#options = options;
  }

  /** Devices that are asked, or will be. */
  get size(): number {
    return this.#waiting.size + this.#running.size;
  }

  stop(): void {
    this.#stopping.abort(new Error('The process stops.'));
    this.#waiting.clear();
  }

  /** A device said how many wait. */
  heard(device: string, waiting: PhotosWaiting | undefined): void {
    if (!waiting?.count || this.#stopping.signal.aborted || this.#running.has(device)) return;
    this.#waiting.add(device);
    this.#next();
  }

  #next(): void {
    for (const device of this.#waiting) {
      if (this.#running.size >= AT_ONCE) return;
      this.#waiting.delete(device);
      this.#running.add(device);
      void this.#fetchAll(device)
        .catch((error: Error) => this.#tellFailure(device, error))
        .finally(() => {
          this.#running.delete(device);
          this.#next();
        });
    }
  }

  #tellFailure(device: string, err: Error): void {
    if (this.#stopping.signal.aborted) return;
    // It went, or has too much to do: it says again how many wait.
    if (err instanceof AppError) this.#options.log.debug({ device, why: err.message }, 'photos wait on');
    else this.#options.log.error({ device, err }, 'photos of a device could not be fetched');
  }

  async #fetchAll(id: string): Promise<void> {
    const { deviceAsks, registry, store } = this.#options;
    const { signal } = this.#stopping;
    const device = await registry.find(id);
    if (!device) return;
    for (;;) {
      const { photos } = await deviceAsks.ask(id, 'photos.list', {}, { signal });
      if (photos.length === 0) return;
      const known = await store.known(
        id,
        photos.map((one) => one.id),
      );
      if (known.size > 0) await deviceAsks.ask(id, 'photos.forget', { ids: [...known] }, { signal });
      let isAny = known.size > 0;
      for (const photo of photos.filter((one) => !known.has(one.id))) {
        if (!(await this.#fetch(device, photo))) continue;
        isAny = true;
        await deviceAsks.ask(id, 'photos.forget', { ids: [photo.id] }, { signal });
        this.#tellSoon(device.workgroup);
      }
      // None of them could be taken now; the device says again that they wait.
      if (!isAny) return;
    }
  }

  /** Many photos in a row are told of together. */
  #tellSoon(workgroup: string): void {
    if (this.#untold.has(workgroup)) return;
    this.#untold.add(workgroup);
    setTimeout(() => {
      this.#untold.delete(workgroup);
      if (!this.#stopping.signal.aborted) this.#options.tell('photos', workgroup);
    }, TELL_MS).unref();
  }

  /** True when the device may forget it: it is stored, or will never be. */
  async #fetch(device: RegisteredDevice, photo: WaitingPhoto): Promise<boolean> {
    const { store, files, onStored } = this.#options;
    const bytes = await this.#read(device.id, photo);
    const checked = bytes.length === photo.size && hashOf(bytes) === photo.sha256 ? checkPhoto(bytes) : null;
    if (checked === null) return this.#isHopeless(device.id, photo, 'what came is not what was announced');
    if (typeof checked === 'string') {
      this.#options.log.warn({ device: device.id, file: photo.file, why: checked }, 'a photo was refused');
      return true;
    }
    const { id, table, source, file, size, sha256 } = photo;
    const fileKey = `photos/${device.id}/${id}`;
    const now = Date.now();
    const isLikely = photo.takenAt >= EPOCH && photo.takenAt <= now + DAY_MS;
    const row: NewPhoto = {
      ...{ id, table, source, file, size, sha256, ...checked, fileKey },
      ...{ deviceId: device.id, workgroup: device.workgroup },
      takenAt: new Date(isLikely ? photo.takenAt : now),
      storedAt: new Date(now),
    };
    // Under a key of its own, so that a second attempt, or another process, writes the same file again.
    await files.put(fileKey, Readable.from([bytes]));
    if (await store.add(row)) onStored(size);
    return true;
  }

  /** All of it; what came before a cut is not asked for again. */
  async #read(device: string, { id, size }: WaitingPhoto): Promise<Buffer> {
    const key = `${device} ${id}`;
    const part = this.#parts.get(key) ?? { bytes: [], length: 0, at: 0 };
    this.#parts.set(key, part);
    part.at = Date.now();
    await this.#options.deviceAsks.ask(
      device,
      'photos.read',
      { id, from: part.length },
      {
        signal: this.#stopping.signal,
        onBytes: (bytes) => {
          if (part.length + bytes.length > Math.min(size, PHOTO_LIMITS.bytes)) {
            this.#parts.delete(key);
            throw new AppError('device.rubbish');
          }
          part.bytes.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
          part.length += bytes.length;
          part.at = Date.now();
          this.#makeRoom(key);
        },
      },
    );
    this.#parts.delete(key);
    return Buffer.concat(part.bytes);
  }

  /** Parts that nothing was added to for long, or that are too many, go; never the one that grows. */
  #makeRoom(growing: string): void {
    const now = Date.now();
    const parts = [...this.#parts].toSorted(([, a], [, b]) => b.at - a.at);
    let bytes = 0;
    for (const [key, part] of parts) {
      bytes += part.length;
      const isOld = now - part.at > PART_MS || bytes > PART_BYTES;
      if (isOld && key !== growing) this.#parts.delete(key);
    }
  }

  #isHopeless(device: string, { id, file }: WaitingPhoto, why: string): boolean {
    const key = `${device} ${id}`;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#options.log.warn({ device, file, why, failures }, 'a photo was refused');
    if (failures < TRIES) {
      this.#failures.set(key, failures);
      return false;
    }
    this.#failures.delete(key);
    return true;
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** What the picture is by its bytes, or why it is none that anybody should open. */
export function checkPhoto(bytes: Uint8Array): Pick<NewPhoto, 'type' | 'width' | 'height'> | string {
  const type = photoTypeOf(bytes);
  if (!type) return 'it is no picture';
  if (!isWholePhoto(type, bytes)) return 'it is cut off';
  try {
    const { width, height } = imageSize(bytes);
    const isSound = width > 0 && height > 0 && width <= SIDE && height <= SIDE && width * height <= PIXELS;
    return isSound ? { type, width, height } : 'it has too many pixels';
  } catch {
    return 'its size cannot be read';
  }
}
