import { photosApi } from '@albedo/contract/photos/photos.api';
import type { Photo } from '@albedo/contract/photos/photos.schema';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, download } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import type { Span } from '../../ui/time-range/time-range.ts';

followList('photos', ['photos', 'cameras']);

/** Photos that one look asks for. */
const PAGE = 100;
/** A picture that is out of sight stays so long, ms: scrolling back asks for nothing. */
const KEPT_MS = 60_000;

/** Which photos are looked at; without a camera those of all. */
export interface PhotosMeant {
  wg: string;
  device?: string | undefined;
  source?: string | undefined;
}

/** Newest first, page by page. `ask` is called at each look, so that a range that follows the clock stays current. */
export const photosQuery = ({ wg, device, source }: PhotosMeant, range: string, ask: () => Span) =>
  infiniteQueryOptions({
    queryKey: ['photos', wg, device ?? null, source ?? null, range],
    queryFn: ({ pageParam, signal }) => {
      const { from, to } = ask();
      const query = { startTime: Math.max(0, from), endTime: Math.max(0, to), limit: PAGE };
      const which = { ...(device ? { device } : {}), ...(source ? { identifier: source } : {}) };
      const rest = pageParam ? { after: pageParam } : {};
      return call(photosApi.all, { params: { wg }, query: { ...query, ...which, ...rest } }, signal);
    },
    initialPageParam: '',
    getNextPageParam: ({ after }) => after,
    refetchInterval: unlessTold(30_000),
  });

export const camerasQuery = (wg: string) =>
  queryOptions({
    queryKey: ['cameras', wg],
    queryFn: ({ signal }) => call(photosApi.cameras, { params: { wg } }, signal),
    staleTime: 30_000,
  });

/** The newest one; null where there is none. */
export const newestPhotoQuery = ({ wg, device, source }: Required<PhotosMeant>) =>
  queryOptions({
    queryKey: ['photos', wg, device, source, 'newest'],
    queryFn: async ({ signal }) => {
      const query = { limit: 1, device: device ?? '', identifier: source ?? '' };
      return (await call(photosApi.all, { params: { wg }, query }, signal)).photos[0] ?? null;
    },
    refetchInterval: unlessTold(30_000),
  });

/** The frames of one camera, oldest first. */
export const slideshowQuery = ({ wg, device = '', source = '' }: PhotosMeant, { from, to }: Span) =>
  queryOptions({
    queryKey: ['photos', wg, device, source, 'slideshow', from, to],
    queryFn: ({ signal }) => {
      const body = { identifier: source, startTime: Math.max(0, from), endTime: Math.max(0, to) };
      return call(photosApi.slideshow, { params: { wg, device }, body }, signal);
    },
    enabled: device !== '' && source !== '',
  });

/** The picture itself. It never changes. */
export const imageQuery = (wg: string, { deviceId, id }: Pick<Photo, 'deviceId' | 'id'>) =>
  queryOptions({
    queryKey: ['photo-image', wg, deviceId, id],
    queryFn: ({ signal }) =>
      download(photosApi.image, { params: { wg, device: deviceId, photo: id } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  });

/** Puts the picture among the downloads of the browser. */
export async function savePhoto(wg: string, photo: Photo): Promise<void> {
  const { blob, name } = await queryClient.fetchQuery(imageQuery(wg, photo));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name ?? photo.file;
  link.click();
  URL.revokeObjectURL(link.href);
}

export async function removePhoto(wg: string, { deviceId, id }: Photo): Promise<void> {
  await call(photosApi.remove, { params: { wg, device: deviceId, photo: id } });
  await Promise.all(['photos', 'cameras'].map((head) => queryClient.invalidateQueries({ queryKey: [head] })));
}
