import type { Readable } from 'node:stream';
import type {
  Announcement,
  AnnouncementDraft,
  StoredAnnouncement,
} from '@albedo/contract/announcements/announcements.schema';
import { THUMBNAIL } from '@albedo/contract/announcements/thumbnail';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import type { Logger } from 'pino';
import type { Actor } from '../access/actor.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import { imageType } from '../files/image-type.ts';
import type { ReceivedFile } from '../http/receive-form.ts';
import type { AnnouncementRow, AnnouncementsStore } from './announcements.store.ts';
import { announcementsChanged } from './announcements.topics.ts';

/** What the provider tells everybody, or the members of some workgroups. All functions that name one throw `announcement.not_found`. */
export class Announcements {
  readonly #store: AnnouncementsStore;
  readonly #files: FileStore;
  readonly #audit: Audit;
  readonly #bus: Bus;
  readonly #log: Logger;

  constructor(of: {
    store: AnnouncementsStore;
    files: FileStore;
    audit: Audit;
    bus: Bus;
    log: Logger;
  }) {
    this.#store = of.store;
    this.#files = of.files;
    this.#audit = of.audit;
    this.#bus = of.bus;
    this.#log = of.log;
  }

  /** What is for the user and has begun, newest first. */
  async ofUser(userId: string): Promise<Announcement[]> {
    const begun = await this.#store.begun(userId, new Date());
    return begun.map(({ row, isAcknowledged }) => toAnnouncement(row, isAcknowledged));
  }

  async dismiss(id: string, userId: string): Promise<void> {
    if (!(await this.#store.dismiss(id, userId))) throw notFound();
  }

  async list(): Promise<StoredAnnouncement[]> {
    return (await this.#store.list()).map(toStored);
  }

  /** Throws `workgroup.not_found`. */
  async create(draft: AnnouncementDraft, by: Actor): Promise<StoredAnnouncement> {
    await this.#demandWorkgroups(draft.workgroups);
    const row = await this.#store.add(draft, by.email);
    this.#changed('create', row, by, { newValue: textOf(row) });
    return toStored(row);
  }

  /** Throws `workgroup.not_found` for one that was not told before: one that is gone may stay. */
  async update(id: string, draft: AnnouncementDraft, by: Actor): Promise<StoredAnnouncement> {
    const old = await this.#get(id);
    await this.#demandWorkgroups(draft.workgroups?.filter((name) => !old.workgroups?.includes(name)));
    const row = (await this.#store.update(id, draft)) ?? fail();
    this.#changed('update', row, by, { oldValue: textOf(old), newValue: textOf(row) });
    return toStored(row);
  }

  async remove(id: string, by: Actor): Promise<void> {
    const row = (await this.#store.remove(id)) ?? fail();
    await this.#forget(row.thumbnailKey);
    this.#changed('delete', row, by, { oldValue: textOf(row) });
  }

  /** The picture has to be one by its bytes. Throws `file.wrong_kind`; the file is the caller's to remove then. */
  async setThumbnail(id: string, file: ReceivedFile, by: Actor): Promise<StoredAnnouncement> {
    const bytes = await this.#files.get(file.key);
    const type = bytes && (await imageType(bytes));
    if (!type || !THUMBNAIL.types.includes(type)) {
      throw new AppError('file.wrong_kind', { name: file.name, kinds: 'PNG, JPEG, WebP, GIF' });
    }
    const old = await this.#get(id);
    const row = (await this.#store.setThumbnail(id, file.key, type)) ?? fail();
    await this.#forget(old.thumbnailKey);
    this.#changed('update', row, by, { attribute: 'thumbnail', newValue: file.name });
    return toStored(row);
  }

  async removeThumbnail(id: string, by: Actor): Promise<StoredAnnouncement> {
    const old = await this.#get(id);
    const row = (await this.#store.setThumbnail(id, null, null)) ?? fail();
    await this.#forget(old.thumbnailKey);
    this.#changed('update', row, by, { attribute: 'thumbnail', newValue: null });
    return toStored(row);
  }

  /** Throws `file.not_found` where there is no picture. */
  async thumbnail(id: string): Promise<{ bytes: Readable; type: string }> {
    const { thumbnailKey, thumbnailType } = await this.#get(id);
    const bytes = thumbnailKey === null ? null : await this.#files.get(thumbnailKey);
    if (!bytes || thumbnailType === null) throw new AppError('file.not_found');
    return { bytes, type: thumbnailType };
  }

  async #demandWorkgroups(names: readonly string[] | null | undefined): Promise<void> {
    const [name] = names && names.length > 0 ? await this.#store.unknown(names) : [];
    if (name !== undefined) throw new AppError('workgroup.not_found', { name });
  }

  async #get(id: string): Promise<AnnouncementRow> {
    return (await this.#store.get(id)) ?? fail();
  }

  /** Nothing names the file any more, so a failure costs nothing but its space. */
  async #forget(key: string | null): Promise<void> {
    if (key === null) return;
    await this.#files.remove(key).catch((err: unknown) => {
      this.#log.warn({ err, key }, 'a picture could not be removed');
    });
  }

  #changed(
    action: 'create' | 'update' | 'delete',
    { id }: AnnouncementRow,
    { email, address }: Actor,
    values: { attribute?: string; oldValue?: string | null; newValue?: string | null },
  ): void {
    const at = Date.now();
    const entry = { workgroup: PROVIDER_LOG, at, controller: 'announcement', entity: id, action };
    this.#audit.record({ ...entry, ...values, by: email, address });
    void this.#bus.publish(announcementsChanged, null);
  }
}

const notFound = () => new AppError('announcement.not_found');

function fail(): never {
  throw notFound();
}

const textOf = ({ title, startDate, endDate, bodyMarkdown, workgroups }: AnnouncementRow): string =>
  `${title} (${startDate.toISOString()} to ${endDate.toISOString()}, for ${workgroups?.join(', ') ?? 'everybody'}): ${bodyMarkdown}`;

const toStored = (row: AnnouncementRow): StoredAnnouncement => ({
  ...toAnnouncement(row),
  workgroups: row.workgroups,
});

const toAnnouncement = (row: AnnouncementRow, isAcknowledged = false): Announcement => ({
  _id: row.id,
  title: row.title,
  startDate: row.startDate.toISOString(),
  endDate: row.endDate.toISOString(),
  isAcknowledged,
  thumbnailUrl:
    row.thumbnailKey && `${API_PREFIX}/announcements/${row.id}/thumbnail?v=${row.thumbnailKey.slice(-12)}`,
  bodyMarkdown: row.bodyMarkdown,
});
