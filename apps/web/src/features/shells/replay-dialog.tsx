import type { ShellRecording } from '@albedo/contract/shells/shells.schema';
import { ActionIcon, Modal, Slider, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../ui/units/durations.ts';
import { Player } from './player.ts';
import classes from './shells.module.css';

const Terminal = lazy(async () => ({ default: (await import('./terminal.tsx')).Terminal }));

/** What was on the screen of a remote shell, played again. */
export function ReplayDialog({ recording, onClose }: { recording: ShellRecording; onClose: () => void }) {
  const { t } = useTranslation();
  const { parts, session } = recording;
  const [atMs, setAtMs] = useState(0);
  const [isPlaying, setPlaying] = useState(true);
  const [player, setPlayer] = useState<Player | null>(null);
  const lengthMs = parts.at(-1)?.atMs ?? 0;
  const label = t('shells.recordingOf', { by: session.by });
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={label}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Suspense fallback={<div className={classes.terminal} />}>
        <div className={classes.recording}>
          <Terminal
            label={label}
            isFitted={false}
            onReady={(screen) => {
              const made = new Player(parts, screen, (at, is) => {
                setAtMs(at);
                setPlaying(is);
              });
              setPlayer(made);
              made.play();
              return () => made.pause();
            }}
          />
        </div>
      </Suspense>
      <div className={classes.player}>
        <ActionIcon
          variant="default"
          size={40}
          aria-label={t(isPlaying ? 'shells.pause' : 'shells.play')}
          onClick={() => (isPlaying ? player?.pause() : player?.play())}
        >
          {isPlaying ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
        </ActionIcon>
        <Slider
          min={0}
          max={Math.max(1, lengthMs)}
          step={Math.max(1, Math.round(lengthMs / 1000))}
          value={atMs}
          label={null}
          aria-label={t('shells.position')}
          onChange={(to) => player?.goTo(to)}
        />
        <Text size="xs" c="dimmed">
          {formatDuration(atMs)} / {formatDuration(lengthMs)}
        </Text>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {t('shells.pausesShort')}
      </Text>
    </Modal>
  );
}
