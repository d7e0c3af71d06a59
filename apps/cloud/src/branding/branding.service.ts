import { createHash } from 'node:crypto';
import type { Brand, HostBrand } from '@albedo/contract/branding/branding.schema';
import type { BrandImageKind, Theme, Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import type { Actor } from '../access/actor.ts';
import type { Manager } from '../access/manager.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import type { ExportFile } from '../house/workgroup-part.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { brandedPage, isPlain } from './branded-page.ts';
import type { BrandImage, BrandingStore } from './branding.store.ts';
import { hostBrandChanged } from './branding.topics.ts';
import { checkImage } from './image-check.ts';
import { type WebManifest, webManifest } from './web-manifest.ts';

export interface BrandingOptions {
  store: BrandingStore;
  workgroups: Workgroups;
  audit: Audit;
  bus: Bus;
}

const PLAIN: Brand = { theme: {}, images: {} };

/**
 * How the product looks: by host name, as the staff say, and by workgroup, as its coordinators say. The looks of hosts
 * are kept in memory, because every page that is served asks for them.
 */
export class Branding {
  readonly #options: BrandingOptions;
  #hosts = new Map<string, HostBrand>();

  constructor(options: BrandingOptions) {
    this.#options = options;
  }

  /** Reads the looks of all hosts. */
  start(): Promise<void> {
    return this.#load();
  }

  /** That of the product for a host that nobody dressed. */
  ofHost(host: string): Brand {
    const { theme, images } = this.#hosts.get(host.toLowerCase()) ?? PLAIN;
    return { theme, images };
  }

  /** The page as the host looks; null where it looks like the product. */
  pageOf(host: string, page: () => string): string | null {
    const brand = this.ofHost(host);
    return isPlain(brand) ? null : brandedPage(page(), brand);
  }

  /** What a browser has to know to install the app as the host looks. */
  manifestOf(host: string): WebManifest {
    return webManifest(this.ofHost(host));
  }

  /** The pictures of a workgroup as `images/<kind>.<type>`, for an export. */
  async *files(workgroup: string): AsyncGenerator<ExportFile> {
    for (const { kind, type, content } of await this.#options.store.images(workgroup))
      yield { name: `images/${kind}.${extensionOf(type)}`, content };
  }

  hosts(): HostBrand[] {
    return [...this.#hosts.values()];
  }

  async setHost(host: string, theme: Theme, by: Actor): Promise<HostBrand[]> {
    await this.#options.store.setTheme(host, theme);
    return this.#hostChanged(host, by, 'theme', JSON.stringify(theme));
  }

  async removeHost(host: string, by: Actor): Promise<HostBrand[]> {
    await this.#options.store.removeHost(host);
    return this.#hostChanged(host, by, 'brand', null);
  }

  /** Throws `branding.image_missing`. */
  async hostImage(host: string, kind: BrandImageKind): Promise<BrandImage> {
    return present(await this.#options.store.hostImage(host.toLowerCase(), kind));
  }

  /** Throws `branding.image_invalid`. */
  async setHostImage(host: string, kind: BrandImageKind, content: Buffer, by: Actor): Promise<HostBrand[]> {
    const image = await imageOf(content);
    await this.#options.store.setHostImage(host, kind, image);
    return this.#hostChanged(host, by, kind, describe(image));
  }

  async removeHostImage(host: string, kind: BrandImageKind, by: Actor): Promise<HostBrand[]> {
    await this.#options.store.removeHostImage(host, kind);
    return this.#hostChanged(host, by, kind, null);
  }

  /** Throws `branding.image_missing`. */
  async image(workgroup: string, kind: BrandImageKind): Promise<BrandImage> {
    return present(await this.#options.store.image(workgroup, kind));
  }

  /** Throws `branding.image_invalid`. */
  async setImage(workgroup: string, kind: BrandImageKind, content: Buffer, by: Manager): Promise<Workgroup> {
    const { store } = this.#options;
    const before = await store.image(workgroup, kind);
    const image = await imageOf(content);
    await store.setImage(workgroup, kind, image);
    return this.#changed(workgroup, kind, by, before, image);
  }

  async removeImage(workgroup: string, kind: BrandImageKind, by: Manager): Promise<Workgroup> {
    const { store } = this.#options;
    const before = await store.image(workgroup, kind);
    await store.removeImage(workgroup, kind);
    return this.#changed(workgroup, kind, by, before, undefined);
  }

  #changed(
    workgroup: string,
    attribute: BrandImageKind,
    { email, address }: Actor,
    was: BrandImage | undefined,
    is: BrandImage | undefined,
  ): Promise<Workgroup> {
    const { audit, workgroups } = this.#options;
    const entry = { workgroup, at: Date.now(), controller: 'workgroup', entity: workgroup, action: 'update' };
    const values = { oldValue: was ? describe(was) : null, newValue: is ? describe(is) : null };
    audit.record({ ...entry, attribute, ...values, by: email, address });
    workgroups.tellChanged(workgroup);
    return workgroups.get(workgroup);
  }

  async #hostChanged(
    host: string,
    { email, address }: Actor,
    attribute: string,
    newValue: string | null,
  ): Promise<HostBrand[]> {
    const { audit, bus } = this.#options;
    const before = this.#hosts.get(host);
    const oldValue = before ? JSON.stringify({ theme: before.theme, images: before.images }) : null;
    const entry = {
      workgroup: PROVIDER_LOG,
      at: Date.now(),
      controller: 'branding',
      entity: host,
      attribute,
    };
    audit.record({ ...entry, action: 'update', oldValue, newValue, by: email, address });
    await this.start();
    void bus.publish(hostBrandChanged, { host });
    return this.hosts();
  }

  async #load(): Promise<void> {
    this.#hosts = new Map((await this.#options.store.hosts()).map((one) => [one.host, one]));
  }
}

/** `image/svg+xml` is `svg`. */
const extensionOf = (type: string): string => type.replace(/^.*\//, '').replace(/\+.*$/, '');

async function imageOf(uploaded: Buffer): Promise<BrandImage> {
  const { type, content } = await checkImage(uploaded);
  return { type, content, version: createHash('sha256').update(content).digest('hex').slice(0, 16) };
}

const describe = ({ type, content, version }: BrandImage): string =>
  `${type}, ${content.length} bytes, ${version}`;

function present(image: BrandImage | undefined): BrandImage {
  if (!image) throw new AppError('branding.image_missing');
  return image;
}
