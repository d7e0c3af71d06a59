import { isBound } from '@albedo/contract/access/access';
import { scopeIn } from '@albedo/contract/access/permissions';
import { cameraCommandOf, newCameraCommand } from '@albedo/contract/photos/camera-moves';
import { Button, Modal, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CameraOf } from '../../app/feature.ts';
import { usePermission, useRights } from '../../app/permissions.ts';
import { useSignedIn } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { allCommandsQuery, saveCommand } from '../device-commands/device-commands.queries.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import classes from './camera.module.css';
import { CameraPad } from './camera-pad.tsx';
import { PhotoImage } from './photo-image.tsx';
import { newestPhotoQuery } from './photos.queries.ts';

/** What a camera saw last, and beside it what it can be told, for those who may run the command that tells it. */
export function CameraControl(props: CameraOf) {
  const { wg, device, source, zone, isStill = false, isHidden = false } = props;
  const { t } = useTranslation();
  const mayRun = useRights()('commands');
  const {
    data: photo,
    error,
    refetch,
  } = useQuery({
    ...newestPhotoQuery({ wg, device, source }),
    enabled: !isHidden,
  });
  const { data: devices } = useQuery(deviceListQuery(wg));
  const commands = useQuery({ ...allCommandsQuery(wg), enabled: mayRun && !isHidden });
  const own = devices?.find(({ id }) => id === device);
  const command = commands.data ? cameraCommandOf(commands.data, device) : null;
  const time = photo ? formatInstant(photo.takenAt, zone) : '';
  const isOffline = own !== undefined && !own.facts.online;
  return (
    <div className={classes.camera}>
      <figure className={classes.figure}>
        <div className={classes.stage}>
          {error && photo === undefined ? (
            <ErrorState title={t('photos.failed')} error={error} onRetry={() => void refetch()} />
          ) : photo === undefined ? (
            <Skeleton height="100%" />
          ) : photo === null ? (
            <Text size="sm" c="dimmed">
              {t('photos.control.none')}
            </Text>
          ) : (
            <PhotoImage wg={wg} photo={photo} alt={t('photos.open', { camera: source, time })} isFilm />
          )}
        </div>
        <figcaption className={classes.caption}>{time}</figcaption>
      </figure>
      {!mayRun ? null : commands.error && !commands.data ? (
        <ErrorState
          title={t('deviceCommands.failed')}
          error={commands.error}
          onRetry={() => void commands.refetch()}
        />
      ) : !commands.data || !own ? (
        <Skeleton className={classes.control} height={180} />
      ) : command ? (
        <CameraPad
          camera={{ wg, device, source, deviceName: own.name }}
          command={command}
          off={isStill ? t('photos.control.still') : isOffline ? t('photos.control.offline') : null}
        />
      ) : (
        <SetUp wg={wg} device={device} />
      )}
    </div>
  );
}

/** No saved command steers cameras yet: who may save one does so here. */
function SetUp({ wg, device }: { wg: string; device: string }) {
  const { t } = useTranslation();
  const mayManage = usePermission('controlDevices');
  const { user, workgroup } = useSignedIn();
  const { attempt, isWorking, failure } = useAttempt();
  const isForAll = !isBound(scopeIn(user, workgroup));
  const save = () =>
    void attempt(() =>
      saveCommand({ wg, device, id: null }, newCameraCommand(t('photos.control.command'), isForAll)),
    );
  return (
    <div className={classes.control}>
      <Text size="sm">{t('photos.control.noCommand')}</Text>
      {mayManage ? (
        <>
          <Button
            variant="default"
            classNames={{ root: classes.setUp, label: classes.words }}
            loading={isWorking}
            onClick={save}
          >
            {t('photos.control.setUp')}
          </Button>
          <Failure text={failure} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('photos.control.askSomebody')}
        </Text>
      )}
    </div>
  );
}

/** The same in a window of its own. */
export function CameraDialog(props: CameraOf & { onClose: () => void }) {
  const { t } = useTranslation();
  const { onClose, ...control } = props;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('photos.control.title', { camera: props.source })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={classes.dialog}>
        <CameraControl {...control} />
      </div>
    </Modal>
  );
}
