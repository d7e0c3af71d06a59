import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { aroundEvent } from '@albedo/contract/photos/event-window';
import type { Photo } from '@albedo/contract/photos/photos.schema';
import { ActionIcon, Slider } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../../../app/query-client.ts';
import { formatInstant } from '../../../../ui/time-range/zoned-time.ts';
import { useObjectUrl } from '../../../../ui/use-object-url.ts';
import { usePlayer } from '../../../../ui/use-player.ts';
import { imageQuery, newestPhotoQuery, slideshowQuery } from '../../../photos/photos.queries.ts';
import { InSight, useBoard } from '../../board-context.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import classes from './photo.module.css';

const MINUTE_MS = 60_000;
const NOTHING = { deviceId: '', id: '' };

/** What a camera saw last, over the range of the board, or around an event. */
export function PhotoView({ settings }: WidgetProps<SettingsOf<'photo'>>) {
  const { t } = useTranslation();
  const { wg, span, isDisplay } = useBoard();
  const address = useSearch({ strict: false }) as { event?: unknown };
  const [device = '', ...source] = (settings.camera ?? '').split('.');
  const camera = { wg, device, source: source.join('.') };
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (device === '' || camera.source === '') return <WidgetNote text={t('boards.photo.choose')} />;
  if (settings.show === 'newest') return <Newest camera={camera} />;
  if (settings.show === 'ofRange') return <Film camera={camera} span={span} />;
  const around = aroundEvent(settings.event || address.event, settings.minutes * MINUTE_MS);
  if (!around) return <WidgetNote text={t('boards.photo.noEvent')} />;
  return <Film camera={camera} span={around} />;
}

type Camera = Parameters<typeof newestPhotoQuery>[0];

function Newest({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const isInSight = useContext(InSight);
  const { data, error, refetch } = useQuery({ ...newestPhotoQuery(camera), enabled: isInSight });
  if (error && data === undefined) return <WidgetFailure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <WidgetSkeleton />;
  if (data === null) return <WidgetNote text={t('boards.photo.none')} />;
  return <Picture photo={data} />;
}

function Film({ camera, span }: { camera: Camera; span: { from: number; to: number } }) {
  const { t } = useTranslation();
  const isInSight = useContext(InSight);
  const query = slideshowQuery(camera, span);
  const { data, error, refetch } = useQuery({
    ...query,
    enabled: isInSight,
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <WidgetFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <WidgetSkeleton />;
  if (data.frames.length === 0) return <WidgetNote text={t('boards.photo.noneInRange')} />;
  return <Player frames={data.frames} />;
}

/** It stands still until somebody plays it: a board with several of them would be restless. */
function Player({ frames }: { frames: readonly Photo[] }) {
  const { t } = useTranslation();
  const { wg, zone } = useBoard();
  const isThere = (at: number) => {
    const frame = frames[at];
    const status = frame && queryClient.getQueryState(imageQuery(wg, frame).queryKey)?.status;
    return status === 'success' || status === 'error';
  };
  const player = usePlayer(frames.length, frames.length - 1, isThere, false);
  const frame = frames[player.at];
  // What comes in draws this again, so that the player goes on.
  useQuery({ ...imageQuery(wg, frame ?? NOTHING), enabled: frame !== undefined });
  if (!frame) return null;
  const timeAt = (at: number) => formatInstant(frames[at]?.takenAt ?? 0, zone);
  return (
    <Picture photo={frame}>
      <div className={classes.controls}>
        <ActionIcon
          variant="default"
          size={28}
          aria-label={t(player.isPlaying ? 'photos.pause' : 'photos.play')}
          disabled={frames.length < 2}
          onClick={() => player.setPlaying(!player.isPlaying)}
        >
          {player.isPlaying ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
        </ActionIcon>
        <Slider
          className={classes.scrubber ?? ''}
          size="sm"
          value={player.at}
          min={0}
          max={Math.max(1, frames.length - 1)}
          disabled={frames.length < 2}
          label={timeAt}
          thumbLabel={t('photos.scrubber')}
          thumbProps={{ 'aria-valuetext': timeAt(player.at) }}
          onChange={player.go}
        />
      </div>
    </Picture>
  );
}

function Picture({ photo, children }: { photo: Photo; children?: React.ReactNode }) {
  const { t } = useTranslation();
  const { wg, zone } = useBoard();
  // The one before stays until this one is there.
  const { data, error } = useQuery({ ...imageQuery(wg, photo), placeholderData: keepPreviousData });
  const url = useObjectUrl(data?.blob ?? null);
  const time = formatInstant(photo.takenAt, zone);
  if (error) return <WidgetFailure error={error} />;
  return (
    <figure className={classes.figure}>
      <div className={classes.stage}>
        {url ? <img src={url} alt={t('photos.open', { camera: photo.source, time })} /> : null}
      </div>
      <figcaption className={classes.caption}>
        {time}
        {children}
      </figcaption>
    </figure>
  );
}
