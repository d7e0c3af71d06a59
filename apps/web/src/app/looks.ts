import type { Brand } from '@albedo/contract/branding/branding.schema';
import { BRAND, type Colours } from '@albedo/contract/branding/colours';
import { PRODUCT_NAME } from '@albedo/contract/product';
import type { BrandImages, Theme } from '@albedo/contract/workgroups/workgroups.schema';
import { useMemo, useSyncExternalStore } from 'react';
import { useSession } from './session.ts';

/** How the app looks: as the workgroup says, else as the host name says, else as the product comes. */
export interface Looks {
  colours: Colours;
  /** Stands in the browser's tab. */
  title: string;
  serviceName: string;
  /** Addresses of images; null for those of the product. */
  logo: string | null;
  favicon: string | null;
}

/** The page that the server sends says how the product looks at its host name. */
const HOST_META = 'meta[name="albedo-brand"]';
const host = readHost();

/** Addresses of the images of workgroups, by version; they are loaded with the session's token. */
let loaded: Readonly<Record<string, string>> = {};
const watchers = new Set<() => void>();

/** Tells where an image of the workgroup can be shown from. */
export function takeBrandImage(version: string, url: string): void {
  loaded = { ...loaded, [version]: url };
  for (const watcher of watchers) watcher();
}

export const hasBrandImage = (version: string): boolean => loaded[version] !== undefined;

/** Colours, names and images of the brand that counts now: that of the workgroup before that of the host name. */
export function useLooks(): Looks {
  const session = useSession();
  const images = useSyncExternalStore(watch, () => loaded);
  const workgroup = session?.workgroups?.find(({ name }) => name === session.workgroup);
  return useMemo(
    () =>
      looksOf(workgroup ? { theme: workgroup.theme ?? {}, images: workgroup.images ?? {} } : null, images),
    [workgroup, images],
  );
}

function looksOf(own: Brand | null, images: Readonly<Record<string, string>>): Looks {
  const theme: Theme = { ...given(host.theme), ...given(own?.theme ?? {}) };
  const serviceName = theme.serviceName ?? PRODUCT_NAME;
  const imageOf = (kind: keyof BrandImages): string | null => {
    const version = own?.images[kind];
    if (version !== undefined) return images[version] ?? null;
    const ofHost = host.images[kind];
    return ofHost === undefined ? null : `/api/v1/branding/${kind}?v=${ofHost}`;
  };
  return {
    colours: coloursOf(theme),
    title: theme.title ?? serviceName,
    serviceName,
    logo: imageOf('logo'),
    favicon: imageOf('favicon'),
  };
}

/** The colours of a theme; those it does not name are as the host name says. */
export const coloursOf = (theme: Theme): Colours => {
  const all = { ...given(host.theme), ...given(theme) };
  return {
    primary: all.primary ?? BRAND.primary,
    secondary: all.secondary ?? BRAND.secondary,
    accent: all.accent ?? BRAND.accent,
    text: all.text ?? BRAND.text,
  };
};

/** Without what is empty, which counts as not said. */
const given = (theme: Theme): Theme =>
  Object.fromEntries(Object.entries(theme).filter(([, value]) => value !== undefined && value !== ''));

function readHost(): Brand {
  const content = document.querySelector<HTMLMetaElement>(HOST_META)?.content;
  return content ? (JSON.parse(content) as Brand) : { theme: {}, images: {} };
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
