import type { BrandImageType } from '@albedo/contract/branding/brand-images';
import type { HostBrand } from '@albedo/contract/branding/branding.schema';
import type { BrandImageKind, Theme } from '@albedo/contract/workgroups/workgroups.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, eq } from 'drizzle-orm';
import { hostBrands, hostImages, workgroupImages } from '../database/branding.tables.ts';

export interface BrandImage {
  type: BrandImageType;
  version: string;
  content: Uint8Array;
}

/** Looks of host names and images of workgroups, in SQL. */
export class BrandingStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async hosts(): Promise<HostBrand[]> {
    const { db } = this.#postgres;
    const [hosts, images] = await Promise.all([
      db.select().from(hostBrands).orderBy(hostBrands.host),
      db
        .select({ host: hostImages.host, kind: hostImages.kind, version: hostImages.version })
        .from(hostImages),
    ]);
    return hosts.map(({ host, theme }) => ({
      host,
      theme,
      images: Object.fromEntries(
        images.flatMap((image) => (image.host === host ? [[image.kind, image.version]] : [])),
      ),
    }));
  }

  async setTheme(host: string, theme: Theme): Promise<void> {
    const set = { theme, changedAt: new Date() };
    await this.#postgres.db
      .insert(hostBrands)
      .values({ host, ...set })
      .onConflictDoUpdate({ target: hostBrands.host, set });
  }

  async removeHost(host: string): Promise<void> {
    await this.#postgres.db.delete(hostBrands).where(eq(hostBrands.host, host));
  }

  async hostImage(host: string, kind: BrandImageKind): Promise<BrandImage | undefined> {
    return (await this.#postgres.db.select().from(hostImages).where(ofHost(host, kind)))[0];
  }

  async setHostImage(host: string, kind: BrandImageKind, image: BrandImage): Promise<void> {
    await this.#postgres.db.insert(hostBrands).values({ host }).onConflictDoNothing();
    await this.#postgres.db
      .insert(hostImages)
      .values({ host, kind, ...image })
      .onConflictDoUpdate({ target: [hostImages.host, hostImages.kind], set: image });
  }

  async removeHostImage(host: string, kind: BrandImageKind): Promise<void> {
    await this.#postgres.db.delete(hostImages).where(ofHost(host, kind));
  }

  async image(workgroup: string, kind: BrandImageKind): Promise<BrandImage | undefined> {
    const where = ofWorkgroup(workgroup, kind);
    return (await this.#postgres.db.select().from(workgroupImages).where(where))[0];
  }

  async setImage(workgroup: string, kind: BrandImageKind, image: BrandImage): Promise<void> {
    await this.#postgres.db
      .insert(workgroupImages)
      .values({ workgroup, kind, ...image })
      .onConflictDoUpdate({ target: [workgroupImages.workgroup, workgroupImages.kind], set: image });
  }

  async removeImage(workgroup: string, kind: BrandImageKind): Promise<void> {
    await this.#postgres.db.delete(workgroupImages).where(ofWorkgroup(workgroup, kind));
  }

  images(workgroup: string): Promise<{ kind: string; type: string; content: Uint8Array }[]> {
    const { kind, type, content } = workgroupImages;
    const where = eq(workgroupImages.workgroup, workgroup);
    return this.#postgres.db.select({ kind, type, content }).from(workgroupImages).where(where);
  }
}

const ofHost = (host: string, kind: BrandImageKind) =>
  and(eq(hostImages.host, host), eq(hostImages.kind, kind));
const ofWorkgroup = (workgroup: string, kind: BrandImageKind) =>
  and(eq(workgroupImages.workgroup, workgroup), eq(workgroupImages.kind, kind));
