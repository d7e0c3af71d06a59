import { brandingApi } from '@albedo/contract/branding/branding.api';
import type { HostBrand } from '@albedo/contract/branding/branding.schema';
import type { BrandImageKind, Theme } from '@albedo/contract/workgroups/workgroups.schema';
import { queryOptions } from '@tanstack/react-query';
import { call, download, upload } from '../../app/call.ts';
import { hasBrandImage, takeBrandImage } from '../../app/looks.ts';
import { queryClient } from '../../app/query-client.ts';
import { changeWorkgroup, refreshWorkgroups } from '../workgroups/workgroups.queries.ts';

const KINDS = {
  logo: { get: brandingApi.logo, set: brandingApi.setLogo, remove: brandingApi.removeLogo },
  favicon: { get: brandingApi.favicon, set: brandingApi.setFavicon, remove: brandingApi.removeFavicon },
} as const;

export async function setWorkgroupImage(wg: string, kind: BrandImageKind, file: File): Promise<void> {
  await upload(KINDS[kind].set, { params: { wg } }, [file]);
  await refreshWorkgroups();
}

export async function removeWorkgroupImage(wg: string, kind: BrandImageKind): Promise<void> {
  await call(KINDS[kind].remove, { params: { wg } });
  await refreshWorkgroups();
}

/** A theme of null is that of the host. */
export const setWorkgroupTheme = (wg: string, theme: Theme | null): Promise<void> =>
  changeWorkgroup(wg, { theme });

/** Brings an image of the workgroup to the screen; an image element could not send the session's token. */
export async function loadBrandImage(wg: string, kind: BrandImageKind, version: string): Promise<void> {
  if (hasBrandImage(version)) return;
  const { blob } = await download(KINDS[kind].get, { params: { wg } });
  takeBrandImage(version, URL.createObjectURL(blob));
}

/** The host names that look different from the product, by name. */
export const hostBrandsQuery = queryOptions({
  queryKey: ['host-brands'],
  queryFn: ({ signal }) => call(brandingApi.hosts, {}, signal),
});

/** Address of an image of a host name; another version is another image. */
export const hostImageQuery = (host: string, kind: BrandImageKind, version: string) =>
  queryOptions({
    queryKey: ['host-image', host, kind, version],
    queryFn: async ({ signal }) =>
      URL.createObjectURL((await download(brandingApi.hostImage, { params: { host, kind } }, signal)).blob),
    staleTime: Number.POSITIVE_INFINITY,
  });

export async function setHostTheme(host: string, theme: Theme): Promise<void> {
  keepHosts(await call(brandingApi.setHost, { params: { host }, body: { theme } }));
}

export async function removeHost(host: string): Promise<void> {
  keepHosts(await call(brandingApi.removeHost, { params: { host } }));
}

export async function setHostImage(host: string, kind: BrandImageKind, file: File): Promise<void> {
  keepHosts(await upload(brandingApi.setHostImage, { params: { host, kind } }, [file]));
}

export async function removeHostImage(host: string, kind: BrandImageKind): Promise<void> {
  keepHosts(await call(brandingApi.removeHostImage, { params: { host, kind } }));
}

const keepHosts = (brands: HostBrand[]): void => {
  queryClient.setQueryData(hostBrandsQuery.queryKey, brands);
};
