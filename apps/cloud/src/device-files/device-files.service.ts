import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { FolderListing } from '@albedo/contract/device-files/device-files.schema';
import type { Actor } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';

/** A slice of a file, as it lies in the store, and where it belongs. */
export interface Slice {
  key: string;
  path: string;
  hash: string;
  size: number;
  from: number;
}

export interface FilesOn {
  workgroup: string;
  device: string;
  by: Actor;
  signal: AbortSignal;
}

/** Files of devices: folders, and files both ways. Everything is in the audit log. */
export class DeviceFiles {
  readonly #deviceAsks: DeviceAsks;
  readonly #audit: Audit;
  readonly #store: FileStore;

  constructor(of: { deviceAsks: DeviceAsks; audit: Audit; files: FileStore }) {
    this.#deviceAsks = of.deviceAsks;
    this.#audit = of.audit;
    this.#store = of.files;
  }

  async list(on: FilesOn, path: string): Promise<FolderListing> {
    // By hand: it is in the log before anything of the device is shown.
    await this.#audit.settled(() => this.#record(on, 'list', path));
    return this.#deviceAsks.ask(on.device, 'files.list', { path }, { signal: on.signal });
  }

  /** The bytes from `from` on; it is known that there are some when this resolves. */
  async get(on: FilesOn, path: string, from: number): Promise<Readable> {
    this.#record(on, 'get', path);
    const out = new PassThrough({ highWaterMark: 256 * 1024 });
    const began = Promise.withResolvers<void>();
    const asked = this.#deviceAsks.open(
      on.device,
      'files.read',
      { path, from },
      {
        signal: on.signal,
        onTell: () => began.resolve(),
        onBytes: async (bytes) => {
          if (out.destroyed) throw new AppError('device.lost');
          if (!out.write(bytes)) await readOn(out);
        },
      },
    );
    // Before anybody reads it there is nobody to hear of a failure; `began` tells it.
    out.on('error', () => {});
    out.on('close', () => asked.cancel(new AppError('device.lost')));
    asked.result.then(
      () => out.end(),
      (error: Error) => {
        began.reject(error);
        out.destroy(error);
      },
    );
    await began.promise;
    return out;
  }

  async part({ device, signal }: FilesOn, path: string, hash: string): Promise<{ bytes: number }> {
    return this.#deviceAsks.ask(device, 'files.part', { path, hash }, { signal });
  }

  /** Hash and size of what lies in the store. */
  async factsOf(key: string): Promise<{ hash: string; size: number }> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of await this.#read(key)) {
      hash.update(chunk as Buffer);
      size += (chunk as Buffer).length;
    }
    return { hash: hash.digest('hex'), size };
  }

  /** Sends a slice, and takes it out of the store. */
  async send(on: FilesOn, { key, ...slice }: Slice): Promise<{ isComplete: boolean; bytes: number }> {
    try {
      if (slice.from === 0) this.#record(on, 'send', slice.path);
      const asked = this.#deviceAsks.open(on.device, 'files.write', slice, { signal: on.signal });
      const sending = (async () => {
        for await (const chunk of await this.#read(key)) await asked.write(chunk as Buffer);
        await asked.end();
      })();
      // What the device refuses ends the sending; its own words count.
      sending.catch((error: Error) => asked.cancel(error));
      return await asked.result;
    } finally {
      await this.#store.remove(key);
    }
  }

  async #read(key: string): Promise<Readable> {
    const bytes = await this.#store.get(key);
    if (!bytes) throw new Error(`The file ${key} is not in the store.`);
    return bytes;
  }

  #record({ workgroup, device, by }: FilesOn, action: string, path: string): void {
    const entry = { workgroup, device, at: Date.now(), controller: 'device', entity: 'file', action };
    this.#audit.record({ ...entry, attribute: 'path', newValue: path, by: by.email, address: by.address });
  }
}

/** Resolves when more may be written, or nothing can be any more; leaves no listener behind. */
async function readOn(out: PassThrough): Promise<void> {
  const other = new AbortController();
  const { signal } = other;
  await Promise.race([once(out, 'drain', { signal }), once(out, 'close', { signal })]);
  other.abort();
}
