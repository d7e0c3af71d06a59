import type { PhotoType } from '@albedo/contract/photos/photo-type';
import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true }).notNull();

/** Photos that devices sent; the bytes lie in the files store. Rows of a device that is gone are taken away with their files. */
export const photos = pgTable(
  'photos',
  {
    deviceId: uuid('device_id').notNull(),
    /** As the device calls it. */
    id: uuid().notNull(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade', onUpdate: 'cascade' }),
    /** Of the scenario that captured it. */
    table: text().notNull(),
    source: text().notNull(),
    file: text().notNull(),
    takenAt: time('taken_at'),
    storedAt: time('stored_at').defaultNow(),
    type: text().$type<PhotoType>().notNull(),
    /** Bytes. */
    size: integer().notNull(),
    /** Pixels. */
    width: integer().notNull(),
    height: integer().notNull(),
    sha256: text().notNull(),
    fileKey: text('file_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.id] }),
    index('photos_by_time').on(table.workgroup, table.takenAt, table.deviceId, table.id),
    index('photos_of_camera').on(table.deviceId, table.source, table.takenAt),
  ],
);

/** What workgroups have of it. */
export const photosPart = [
  tablePart(photos, named(photos.workgroup), {
    deviceId: yes,
    id: yes,
    workgroup: yes,
    table: yes,
    source: yes,
    file: yes,
    takenAt: yes,
    storedAt: yes,
    type: yes,
    size: yes,
    width: yes,
    height: yes,
    sha256: yes,
    fileKey: no,
  }),
];
