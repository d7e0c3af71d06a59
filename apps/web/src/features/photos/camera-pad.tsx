import type { DeviceCommand } from '@albedo/contract/device-commands/device-commands.schema';
import { CAMERA_MOVES, type CameraMove } from '@albedo/contract/photos/camera-moves';
import { ActionIcon, Button, Group, Modal, Text } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowDownLeft,
  IconArrowDownRight,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconArrowUpLeft,
  IconArrowUpRight,
  IconCamera,
  IconHome,
} from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './camera.module.css';
import { steerCamera } from './steer-camera.ts';

const ICONS = {
  'up-left': IconArrowUpLeft,
  up: IconArrowUp,
  'up-right': IconArrowUpRight,
  left: IconArrowLeft,
  home: IconHome,
  right: IconArrowRight,
  'down-left': IconArrowDownLeft,
  down: IconArrowDown,
  'down-right': IconArrowDownRight,
} as const;
type Step = keyof typeof ICONS;
const STEPS = CAMERA_MOVES.filter((move): move is Step => move !== 'photo');

const KEYS = new Map<string, CameraMove>([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['Home', 'home'],
]);

export interface SteeredCamera {
  wg: string;
  device: string;
  /** What people call the device. */
  deviceName: string;
  source: string;
}

interface CameraPadProps {
  camera: SteeredCamera;
  command: DeviceCommand;
  /** Why it cannot be used now; null where it can. */
  off: string | null;
}

/** Eight directions, home and a photo. It asks once before it moves anything; afterwards each press counts. */
export function CameraPad({ camera, command, off }: CameraPadProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<CameraMove | null>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  const [done, setDone] = useState<CameraMove | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  const run = (move: CameraMove) =>
    void attempt(async () => {
      setDone(null);
      const { isDone, said } = await steerCamera(camera, command, move);
      if (!isDone) throw new Error(said ?? t('photos.control.offline'));
      setDone(move);
    });
  const press = (move: CameraMove) => {
    if (isWorking || off !== null) return;
    if (isConfirmed) run(move);
    else setAsked(move);
  };
  const handleKey = (event: KeyboardEvent) => {
    const move = KEYS.get(event.key);
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    press(move);
  };
  const confirm = () => {
    const move = asked;
    setAsked(null);
    setConfirmed(true);
    if (move) run(move);
  };
  return (
    <div className={classes.control}>
      <fieldset className={classes.pad} aria-label={t('photos.control.pad')} onKeyDown={handleKey}>
        {STEPS.map((move) => {
          const Icon = ICONS[move];
          return (
            <ActionIcon
              key={move}
              variant="default"
              size={40}
              aria-label={t(`photos.control.moves.${move}`)}
              title={off ?? t(`photos.control.moves.${move}`)}
              disabled={off !== null}
              data-is-waiting={isWorking || undefined}
              onClick={() => press(move)}
            >
              <Icon size={18} />
            </ActionIcon>
          );
        })}
      </fieldset>
      <Button
        variant="default"
        leftSection={<IconCamera size={16} />}
        disabled={off !== null}
        title={off ?? undefined}
        loading={isWorking}
        onClick={() => press('photo')}
      >
        {t('photos.control.moves.photo')}
      </Button>
      <p className={classes.said} role="status">
        {isWorking ? t('photos.control.working') : done ? t('photos.control.done') : (off ?? '')}
      </p>
      <Failure text={failure} />
      {asked ? (
        <Modal
          opened
          onClose={() => setAsked(null)}
          title={t('deviceCommands.confirm.title')}
          closeButtonProps={{ 'aria-label': t('actions.close') }}
        >
          <Text size="sm">
            {t('deviceCommands.confirm.body', { command: command.name, device: camera.deviceName })}
          </Text>
          <Text size="sm" c="dimmed" mt="xs">
            {t('photos.control.once')}
          </Text>
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={() => setAsked(null)}>
              {t('actions.cancel')}
            </Button>
            <Button onClick={confirm} data-autofocus>
              {t('deviceCommands.confirm.run')}
            </Button>
          </Group>
        </Modal>
      ) : null}
    </div>
  );
}
