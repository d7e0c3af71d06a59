import type { Photo } from '@albedo/contract/photos/photos.schema';
import { ActionIcon, Button, Modal, SegmentedControl, Slider } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { queryClient } from '../../app/query-client.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { type Player, SPEEDS, usePlayer } from '../../ui/use-player.ts';
import { PhotoImage } from './photo-image.tsx';
import classes from './photos.module.css';
import { imageQuery, removePhoto, savePhoto } from './photos.queries.ts';

/** Frames that are fetched before they are shown. */
const AHEAD = 3;

interface PhotoViewerProps {
  wg: string;
  /** Oldest first; at least one. */
  frames: readonly Photo[];
  /** The one to begin with. */
  first: number;
  plays: boolean;
  zone: string;
  nameOf: (photo: Photo) => string;
  onShow?: (photo: Photo) => void;
  onClose: () => void;
}

/** One photo at a time, as large as the window: by keys, or one after the other as a film. */
export function PhotoViewer(props: PhotoViewerProps) {
  const { wg, frames, first, plays, zone, nameOf, onShow, onClose } = props;
  const { t } = useTranslation();
  const canDelete = usePermission('manageDevices');
  const [isAsking, setAsking] = useState(false);
  const player = usePlayer(frames.length, first, (at) => isThere(wg, frames[at]), plays);
  const photo = frames[player.at];
  // What comes in draws this again, so that the player goes on.
  useQuery({ ...imageQuery(wg, photo ?? NOTHING), enabled: photo !== undefined });
  useEffect(() => {
    for (const next of frames.slice(player.at + 1, player.at + 1 + AHEAD)) {
      void queryClient.prefetchQuery(imageQuery(wg, next));
    }
  }, [wg, frames, player.at]);
  useEffect(() => {
    if (photo && !player.isPlaying) onShow?.(photo);
  }, [photo, player.isPlaying, onShow]);
  if (!photo) return null;
  const name = nameOf(photo);
  const time = formatInstant(photo.takenAt, zone);

  return (
    <Modal
      opened
      fullScreen
      onClose={onClose}
      title={t('photos.open', { camera: name, time })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      classNames={{ body: classes.viewer ?? '', content: classes.viewerContent ?? '' }}
      onKeyDown={(event) => handleKey(event, player)}
    >
      <div className={classes.stage}>
        <PhotoImage wg={wg} photo={photo} alt={t('photos.open', { camera: name, time })} isFilm />
      </div>
      <Controls player={player} frames={frames} zone={zone} />
      <div className={classes.facts}>
        <span>
          {t('photos.facts', {
            width: photo.width,
            height: photo.height,
            size: formatBytes(photo.size),
            file: photo.file,
          })}
        </span>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() =>
            void savePhoto(wg, photo).catch((error) => notifyFailure(t('photos.imageFailed'), error))
          }
        >
          {t('photos.download')}
        </Button>
        {canDelete ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={14} />}
            onClick={() => {
              player.setPlaying(false);
              setAsking(true);
            }}
          >
            {t('photos.remove')}
          </Button>
        ) : null}
      </div>
      {isAsking ? (
        <ConfirmDialog
          confirm={t('photos.remove')}
          onConfirm={async () => {
            await removePhoto(wg, photo);
            notifyDone(t('photos.removed'));
            onClose();
          }}
          onClose={() => setAsking(false)}
        >
          {t('photos.removeText', { camera: name, time })}
        </ConfirmDialog>
      ) : null}
    </Modal>
  );
}

function Controls({ player, frames, zone }: { player: Player; frames: readonly Photo[]; zone: string }) {
  const { t } = useTranslation();
  const { at, isPlaying, speed } = player;
  const timeAt = (index: number) => formatInstant(frames[index]?.takenAt ?? 0, zone);
  return (
    <div className={classes.controls}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('photos.before')}
        disabled={at === 0}
        onClick={() => player.go(at - 1)}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <ActionIcon
        size={36}
        aria-label={t(isPlaying ? 'photos.pause' : 'photos.play')}
        disabled={frames.length < 2}
        onClick={() => player.setPlaying(!isPlaying)}
      >
        {isPlaying ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('photos.after')}
        disabled={at === frames.length - 1}
        onClick={() => player.go(at + 1)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
      <Slider
        className={classes.scrubber ?? ''}
        value={at}
        min={0}
        max={Math.max(1, frames.length - 1)}
        disabled={frames.length < 2}
        label={timeAt}
        thumbLabel={t('photos.scrubber')}
        thumbProps={{ 'aria-valuetext': timeAt(at) }}
        onChange={player.go}
      />
      <span className={classes.place}>{t('photos.place', { at: at + 1, count: frames.length })}</span>
      <SegmentedControl
        size="xs"
        aria-label={t('photos.speed')}
        data={SPEEDS.map((one) => ({ value: String(one), label: t('photos.perSecond', { value: one }) }))}
        value={String(speed)}
        onChange={(value) => player.setSpeed(Number(value))}
      />
    </div>
  );
}

/** Whether the player may go on: it is there, or will never be. */
function isThere(wg: string, photo: Photo | undefined): boolean {
  const state = photo && queryClient.getQueryState(imageQuery(wg, photo).queryKey);
  return state?.status === 'success' || state?.status === 'error';
}

const NOTHING = { deviceId: '', id: '' };

function handleKey(event: KeyboardEvent, player: Player): void {
  const target = event.target as HTMLElement;
  // A slider and a choice have keys of their own, and a button is pressed by the space bar.
  const isOwn = target.closest('[role="slider"], [role="radiogroup"], input') !== null;
  const moves: Record<string, number> = {
    ArrowLeft: player.at - 1,
    ArrowRight: player.at + 1,
    Home: 0,
    End: Number.MAX_SAFE_INTEGER,
  };
  const to = moves[event.key];
  if (to !== undefined && !isOwn) player.go(to);
  else if (event.key === ' ' && !isOwn && target.closest('button') === null) {
    player.setPlaying(!player.isPlaying);
  } else return;
  event.preventDefault();
}
