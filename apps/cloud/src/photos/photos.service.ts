import type { Readable } from 'node:stream';
import {
  type Camera,
  PHOTO_LIMITS,
  type Photo,
  type PhotoPage,
  type PhotoQuery,
  type Slideshow,
} from '@albedo/contract/photos/photos.schema';
import type { FoundDamage } from '@albedo/contract/store-checks/store-checks.schema';
import { photosSetting } from '@albedo/contract/workgroups/workgroup-settings.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import { seesSource } from '../access/device-scope.ts';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import type { ExportFile } from '../house/workgroup-part.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { asStored } from './as-stored.ts';
import { damagedPhotos, isAsStored } from './photos.check.ts';
import { type PhotoPlace, type PhotoRow, type PhotosStore, photoOf } from './photos.store.ts';

const DAY_MS = 86_400_000;
const GIGABYTE = 1e9;
/** Photos that are deleted in one go. */
const SWEPT = 500;

export interface PhotosOptions {
  store: PhotosStore;
  files: FileStore;
  workgroups: Workgroups;
  audit: Audit;
  tell: TellList;
}

/** Who asks for photos. */
export interface PhotosFor {
  workgroup: string;
  scope: DeviceScope;
}

/** Photos of devices, as people look at them, and how long they stay. */
export class Photos {
  readonly #options: PhotosOptions;

  constructor(options: PhotosOptions) {
    this.#options = options;
  }

  /** Newest first. */
  async page(by: PhotosFor, query: PhotoQuery): Promise<PhotoPage> {
    const { limit, after, identifier: source, ...range } = query;
    const rows = await this.#options.store.list({ ...by, ...range, source }, limit + 1, placeOf(after));
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return { photos: shown.map(photoOf), after: last && rows.length > limit ? nameOf(last) : null };
  }

  async slideshow(
    by: PhotosFor,
    device: string,
    { identifier: source, ...range }: { identifier: string; startTime: number; endTime: number },
  ): Promise<Slideshow> {
    const { rows, total } = await this.#options.store.frames(
      { ...by, ...range, device, source },
      PHOTO_LIMITS.frames,
    );
    return { frames: rows.map(photoOf), total };
  }

  cameras({ workgroup, scope }: PhotosFor): Promise<Camera[]> {
    return this.#options.store.cameras(workgroup, scope);
  }

  /** Throws `photo.not_found`. */
  async image(by: PhotosFor, device: string, id: string): Promise<{ photo: Photo; bytes: Readable }> {
    const row = await this.#demand(by, device, id);
    const bytes = await this.#options.files.get(row.fileKey);
    if (!bytes) throw new AppError('photo.not_found');
    return { photo: photoOf(row), bytes: asStored(bytes, row) };
  }

  /** Throws `photo.not_found`. */
  async remove(by: PhotosFor, device: string, id: string, who: Manager): Promise<void> {
    const { store, files, audit, tell } = this.#options;
    const { file } = await this.#demand(by, device, id);
    const key = await store.remove(by.workgroup, device, id);
    if (key) await files.remove(key);
    tell('photos', by.workgroup);
    const entry = { workgroup: by.workgroup, device, at: Date.now(), controller: 'photos', entity: id };
    audit.record({ ...entry, action: 'delete', oldValue: file, by: who.email, address: who.address });
  }

  /** Takes away what is older than its workgroup keeps it, is more than fits, or belongs to a device that is gone. */
  async tidy(signal: AbortSignal): Promise<void> {
    const { store, workgroups } = this.#options;
    await this.#sweep(signal, () => store.orphans(SWEPT));
    for (const { workgroup, bytes } of await store.usage()) {
      const { settings } = await workgroups.get(workgroup);
      const { days, gigabytes } = photosSetting.catch({}).parse(settings.photos ?? {});
      const before = new Date(Date.now() - (days ?? PHOTO_LIMITS.days) * DAY_MS);
      const gone = await this.#sweep(signal, () => store.oldest(workgroup, before, SWEPT));
      await this.#shrink(workgroup, bytes - gone - (gigabytes ?? PHOTO_LIMITS.gigabytes) * GIGABYTE, signal);
    }
  }

  /**
   * The photos of a workgroup as files of its export; what they show stands in their records. Those that the disk has changed or
   * lost are left out, and named in a file of their own.
   */
  async *exported(workgroup: string, signal: AbortSignal): AsyncGenerator<ExportFile> {
    const { store, files } = this.#options;
    const damaged: string[] = [];
    for (const row of await store.ofWorkgroup(workgroup)) {
      signal.throwIfAborted();
      const name = `photos/${row.deviceId}/${row.id}.${extensionOf(row)}`;
      const content = (await isAsStored(files, row)) ? await files.get(row.fileKey) : null;
      if (content) yield { name, size: row.size, content };
      else damaged.push(`${name}\n`);
    }
    if (damaged.length > 0) yield { name: 'photos/damaged.txt', content: damaged.join('') };
  }

  /** Reads all photos of all workgroups: what the disk has changed or lost. */
  damaged(): AsyncIterable<FoundDamage | null> {
    return damagedPhotos(this.#options.store, this.#options.files);
  }

  /** The workgroup goes, and its files with it. */
  async forgetWorkgroup(workgroup: string): Promise<void> {
    for (const { fileKey } of await this.#options.store.ofWorkgroup(workgroup)) {
      await this.#options.files.remove(fileKey);
    }
  }

  async #demand({ workgroup, scope }: PhotosFor, device: string, id: string): Promise<PhotoRow> {
    const row = await this.#options.store.get(workgroup, device, id);
    if (!row || !seesSource(scope, device, row.source)) throw new AppError('photo.not_found');
    return row;
  }

  /** Takes away the oldest until so many bytes are free. */
  async #shrink(workgroup: string, excess: number, signal: AbortSignal): Promise<void> {
    for (let left = excess; left > 0; ) {
      const rows = await this.#options.store.oldest(workgroup, null, SWEPT);
      if (rows.length === 0) return;
      for (const row of rows) {
        if (left <= 0) return;
        signal.throwIfAborted();
        left -= await this.#drop(row);
      }
    }
  }

  /** Answers how many bytes went. */
  async #sweep(signal: AbortSignal, find: () => Promise<PhotoRow[]>): Promise<number> {
    let gone = 0;
    for (let rows = await find(); rows.length > 0; rows = await find()) {
      for (const row of rows) {
        signal.throwIfAborted();
        gone += await this.#drop(row);
      }
    }
    return gone;
  }

  /** The file first: of a photo whose record is gone nobody would know. */
  async #drop({ workgroup, deviceId, id, fileKey, size }: PhotoRow): Promise<number> {
    await this.#options.files.remove(fileKey);
    await this.#options.store.remove(workgroup, deviceId, id);
    return size;
  }
}

/** As a file is called that holds it. */
export const extensionOf = ({ type }: Pick<Photo, 'type'>): string =>
  type.replace('image/', '').replace('jpeg', 'jpg');

const nameOf = ({ takenAt, deviceId, id }: PhotoRow): string => `${takenAt.getTime()}_${deviceId}_${id}`;

const PLACE = /^(-?\d{1,16})_([0-9a-f-]{36})_([0-9a-f-]{36})$/;

/** Null for the first page; a text that is no place begins there too. */
function placeOf(after: string | undefined): PhotoPlace | null {
  const [, takenAt, device = '', id = ''] = PLACE.exec(after ?? '') ?? [];
  return takenAt === undefined ? null : { takenAt: Number(takenAt), device, id };
}
