import { announcementsApi } from '@albedo/contract/announcements/announcements.api';
import type { Announcement, AnnouncementDraft } from '@albedo/contract/announcements/announcements.schema';
import { queryOptions } from '@tanstack/react-query';
import { call, upload } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { onConnected, onEvent } from '../../app/socket.ts';

const keys = { mine: ['announcements', 'mine'], all: ['announcements', 'all'] } as const;
/** A planned announcement begins without an event of the server. */
const REFETCH_MS = 60_000;

/** The announcements that have begun, newest first, with whether the user dismissed them. */
export const myAnnouncementsQuery = queryOptions({
  queryKey: keys.mine,
  queryFn: ({ signal }) => call(announcementsApi.mine, {}, signal),
  refetchInterval: REFETCH_MS,
});

/** All announcements; for the staff. */
export const allAnnouncementsQuery = queryOptions({
  queryKey: keys.all,
  queryFn: ({ signal }) => call(announcementsApi.list, {}, signal),
});

/** Asks again whenever the server announces a change, until the returned function is called. */
export function followAnnouncements(): () => void {
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['announcements'] });
  const stops = [
    onEvent('announcement', refresh),
    onConnected(() => {
      if (queryClient.getQueryState(keys.mine)?.data) refresh();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Dismisses announcements for the user; those that the server refused are shown again. */
export async function dismissAll(ids: readonly string[]): Promise<void> {
  const dismissed = new Set(ids);
  await queryClient.cancelQueries({ queryKey: keys.mine });
  queryClient.setQueryData<Announcement[]>(keys.mine, (old) =>
    old?.map((one) => (dismissed.has(one._id) ? { ...one, isAcknowledged: true } : one)),
  );
  try {
    await Promise.all(
      ids.map((announcement) => call(announcementsApi.dismiss, { params: { announcement } })),
    );
  } catch (error) {
    await queryClient.invalidateQueries({ queryKey: keys.mine });
    throw error;
  }
}

/** What becomes of the picture: a new one, none, or as it was. */
export type ThumbnailChange = File | 'remove' | 'keep';

/** Publishes a new announcement, or changes the one of that id; answers its id also where only the picture failed. */
export async function saveAnnouncement(
  id: string | null,
  draft: AnnouncementDraft,
  thumbnail: ThumbnailChange,
  onSaved: (id: string) => void,
): Promise<void> {
  const { _id } =
    id === null
      ? await call(announcementsApi.create, { body: draft })
      : await call(announcementsApi.update, { params: { announcement: id }, body: draft });
  onSaved(_id);
  const params = { announcement: _id };
  try {
    if (thumbnail instanceof File) await upload(announcementsApi.setThumbnail, { params }, [thumbnail]);
    else if (thumbnail === 'remove') await call(announcementsApi.removeThumbnail, { params });
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['announcements'] });
  }
}

export async function removeAnnouncement(id: string): Promise<void> {
  await call(announcementsApi.remove, { params: { announcement: id } });
  await queryClient.invalidateQueries({ queryKey: ['announcements'] });
}
