import type { Photo } from '@albedo/contract/photos/photos.schema';
import { Anchor, Button, Select, Skeleton } from '@mantine/core';
import { IconDeviceCctv, IconPlayerPlay } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { rangeToText, resolveRange } from '../../ui/time-range/time-range.ts';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { CameraDialog } from './camera-control.tsx';
import { PhotoGrid } from './photo-grid.tsx';
import { PhotoViewer } from './photo-viewer.tsx';
import classes from './photos.module.css';
import { camerasQuery, photosQuery, slideshowQuery } from './photos.queries.ts';
import { type CameraName, usePhotosAddress } from './use-photos-address.ts';

/** Photos of a range, of all cameras or of one: of the workgroup, or of one device. */
export function PhotoBrowser({ device }: { device?: { id: string; name: string } }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [{ time, camera: asked, photo: open }, change] = usePhotosAddress();
  const cameras = useQuery(camerasQuery(wg));
  const { data: devices } = useQuery({ ...deviceListQuery(wg), enabled: !device });
  const mayRun = useRights()('commands');
  const [plays, setPlays] = useState(false);
  const [isControlled, setControlled] = useState(false);
  const names = useMemo(() => new Map(devices?.map(({ id, name }) => [id, name])), [devices]);
  const own = cameras.data?.filter(({ deviceId }) => !device || deviceId === device.id);
  const camera = asked && (!device || asked.device === device.id) ? asked : null;
  const only = own?.length === 1 && own[0] ? { device: own[0].deviceId, source: own[0].source } : null;
  const chosen = camera ?? only;
  const zone = resolveZone(time.zone);
  const range = rangeToText(time.range);
  const span = () => resolveRange(time.range, Date.now(), zone);
  const which = { wg, device: camera?.device ?? device?.id, source: camera?.source };
  const query = useInfiniteQuery(photosQuery(which, `${range} ${zone}`, span));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const photos = useMemo(() => data?.pages.flatMap((page) => page.photos) ?? [], [data]);
  const nameOf = useCallback(
    ({ deviceId, source }: Pick<Photo, 'deviceId' | 'source'>) =>
      device ? source : `${names.get(deviceId) ?? t('photos.someDevice')} · ${source}`,
    [device, names, t],
  );
  const handleMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);

  if (own?.length === 0 && photos.length === 0 && !error) return <NoPhotos deviceId={device?.id} />;
  const shown = open === null ? -1 : photos.findIndex(({ id }) => id === open);
  return (
    <>
      <search className={classes.filters} aria-label={t('photos.filters')}>
        <Select
          className={classes.camera}
          aria-label={t('photos.camera')}
          placeholder={t('photos.allCameras')}
          clearable
          searchable
          value={camera ? keyOf(camera) : null}
          data={(own ?? []).map((one) => ({
            value: keyOf({ device: one.deviceId, source: one.source }),
            label: nameOf(one),
          }))}
          onChange={(key) => {
            const found = own?.find((one) => keyOf({ device: one.deviceId, source: one.source }) === key);
            change({ camera: found ? { device: found.deviceId, source: found.source } : null });
          }}
        />
        <TimeRangePicker value={time} hasAllTime onChange={(next) => change({ time: next })} />
        <div className={classes.buttons}>
          <Button
            leftSection={<IconPlayerPlay size={16} />}
            disabled={!chosen || photos.length === 0}
            title={chosen ? undefined : t('photos.chooseCamera')}
            onClick={() => setPlays(true)}
          >
            {t('photos.slideshow')}
          </Button>
          {mayRun ? (
            <Button
              variant="default"
              leftSection={<IconDeviceCctv size={16} />}
              disabled={!chosen}
              title={chosen ? undefined : t('photos.chooseCamera')}
              onClick={() => setControlled(true)}
            >
              {t('photos.control.open')}
            </Button>
          ) : null}
        </div>
      </search>
      {error && photos.length === 0 ? (
        <ErrorState title={t('photos.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <GridSkeleton />
      ) : photos.length === 0 ? (
        <EmptyState title={t('photos.none')} text={t('photos.noneText')}>
          <Button
            variant="default"
            onClick={() => change({ camera: null, time: { ...time, range: { kind: 'all' } } })}
          >
            {t('photos.showAll')}
          </Button>
        </EmptyState>
      ) : (
        <PhotoGrid
          wg={wg}
          photos={photos}
          zone={zone}
          nameOf={nameOf}
          hasMore={hasNextPage}
          onMore={handleMore}
          onOpen={({ id }) => change({ photo: id })}
        />
      )}
      {shown >= 0 && !plays ? (
        <PhotoViewer
          wg={wg}
          frames={photos.toReversed()}
          first={photos.length - 1 - shown}
          plays={false}
          zone={zone}
          nameOf={nameOf}
          onClose={() => change({ photo: null })}
        />
      ) : null}
      {isControlled && chosen ? (
        <CameraDialog
          wg={wg}
          device={chosen.device}
          source={chosen.source}
          zone={zone}
          onClose={() => setControlled(false)}
        />
      ) : null}
      {plays ? (
        <Slideshow
          wg={wg}
          camera={chosen}
          span={span}
          zone={zone}
          nameOf={nameOf}
          onClose={() => setPlays(false)}
        />
      ) : null}
    </>
  );
}

interface SlideshowProps {
  wg: string;
  camera: CameraName | null;
  span: () => { from: number; to: number };
  zone: string;
  nameOf: (photo: Photo) => string;
  onClose: () => void;
}

/** All frames of the range, from the first one on. */
function Slideshow({ wg, camera, span, zone, nameOf, onClose }: SlideshowProps) {
  const [range] = useState(span);
  const meant = { wg, device: camera?.device, source: camera?.source };
  // What comes in meanwhile is for the next show.
  const { data } = useQuery({ ...slideshowQuery(meant, range), staleTime: Number.POSITIVE_INFINITY });
  if (!data || data.frames.length === 0) return null;
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <PhotoViewer
      wg={wg}
      frames={data.frames}
      first={0}
      plays={!isCalm}
      zone={zone}
      nameOf={nameOf}
      onClose={onClose}
    />
  );
}

function NoPhotos({ deviceId }: { deviceId: string | undefined }) {
  const { t } = useTranslation();
  const mayConfigure = useRights()('controlDevices');
  return (
    <EmptyState title={t('photos.empty')} text={t('photos.emptyText')}>
      <pre className={classes.example}>{EXAMPLE}</pre>
      {deviceId === undefined ? (
        <Anchor component={Link} to="/devices" data-alone>
          {t('photos.toDevices')}
        </Anchor>
      ) : mayConfigure ? (
        <Anchor
          data-alone
          renderRoot={(props) => (
            <Link {...props} to="/devices/$deviceId/$tab" params={{ deviceId, tab: 'configuration' }} />
          )}
        >
          {t('photos.toConfiguration')}
        </Anchor>
      ) : null}
    </EmptyState>
  );
}

/** Lines of a configuration, the same in all languages. */
const EXAMPLE = `watch:
  - table: photos
    source: roof
    file: /srv/camera/roof/*.jpg
    send_file: true`;

function GridSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.skeleton} role="status" aria-label={t('states.loading')}>
      {Array.from({ length: 8 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the tiles of a skeleton are all alike.
        <Skeleton key={at} className={classes.skeletonTile} radius="sm" />
      ))}
    </div>
  );
}

const keyOf = ({ device, source }: CameraName): string => `${device}.${source}`;
