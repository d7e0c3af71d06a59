import type { BrandImageType } from '@albedo/contract/branding/brand-images';
import type { BrandImageKind, Theme } from '@albedo/contract/workgroups/workgroups.schema';
import { customType, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from './workgroup-part.tables.ts';
import { workgroups } from './workgroups.tables.ts';

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

const image = {
  kind: text().$type<BrandImageKind>().notNull(),
  type: text().$type<BrandImageType>().notNull(),
  /** Begin of the SHA-256 of the bytes: what changes is asked for again, what does not may be kept. */
  version: text().notNull(),
  content: bytes().notNull(),
};

/** How the product looks at each host name that people reach it by. */
export const hostBrands = pgTable('host_brands', {
  /** Small letters, without a port. */
  host: text().primaryKey(),
  theme: jsonb().$type<Theme>().notNull().default({}),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
});

export const hostImages = pgTable(
  'host_images',
  {
    host: text()
      .notNull()
      .references(() => hostBrands.host, { onDelete: 'cascade' }),
    ...image,
  },
  (table) => [primaryKey({ columns: [table.host, table.kind] })],
);

export const workgroupImages = pgTable(
  'workgroup_images',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    ...image,
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.kind] })],
);

/** What workgroups have of it. */
export const brandingPart = [
  // Its bytes are a file of the export.
  tablePart(workgroupImages, named(workgroupImages.workgroup), {
    workgroup: yes,
    kind: yes,
    type: yes,
    version: yes,
    content: no,
  }),
];
