import type { Device } from '@albedo/contract/devices/devices.schema';
import type { ShellRecording, ShellSession } from '@albedo/contract/shells/shells.schema';
import { Button, Modal, Slider, Table, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { agoText, formatDuration } from '../../ui/units/durations.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './shells.module.css';
import { fetchRecording, shellsQuery } from './shells.queries.ts';
import { bytesOf, type TerminalScreen } from './terminal-screen.ts';

const Terminal = lazy(async () => ({ default: (await import('./terminal.tsx')).Terminal }));

/** The remote shells of a device, each to be played again. */
export function ShellList({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(10_000);
  const { data } = useQuery(shellsQuery(wg, device.id));
  const [shown, setShown] = useState<ShellRecording | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  if (!data || data.length === 0) return null;
  const handlePlay = ({ id }: ShellSession) =>
    attempt(async () => setShown(await fetchRecording(wg, device.id, id)));
  return (
    <Section title={t('shells.before')} isFlush>
      <Failure text={failure} />
      <WideTable label={t('shells.before')} leastPx={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('shells.columns.when')}</Table.Th>
            <Table.Th>{t('shells.columns.by')}</Table.Th>
            <Table.Th>{t('shells.columns.length')}</Table.Th>
            <Table.Th>{t('shells.columns.end')}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td>{agoText(one.openedAt, now)}</Table.Td>
              <Table.Td>{one.by}</Table.Td>
              <Table.Td>
                {one.startedAt !== null && one.endedAt !== null
                  ? formatDuration(one.endedAt - one.startedAt)
                  : ''}
              </Table.Td>
              <Table.Td>{one.end === null ? t('shells.running') : t(`shells.ends.${one.end}`)}</Table.Td>
              <Table.Td className={classes.right}>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  leftSection={<IconPlayerPlay size={14} />}
                  disabled={isWorking || one.bytes === 0}
                  onClick={() => void handlePlay(one)}
                >
                  {t('shells.play')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {shown ? <Replay recording={shown} onClose={() => setShown(null)} /> : null}
    </Section>
  );
}

/** Pauses are shortened to this, ms. */
const PAUSE_MS = 1500;

function Replay({ recording, onClose }: { recording: ShellRecording; onClose: () => void }) {
  const { t } = useTranslation();
  const { parts, session } = recording;
  const [at, setAt] = useState(0);
  const [player, setPlayer] = useState<{ goTo: (part: number) => void } | null>(null);

  const handleReady = (screen: TerminalScreen) => {
    let next = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      const part = parts[next];
      if (!part) return false;
      if (part.size) screen.resize(part.size.cols, part.size.rows);
      if (part.output) screen.show(bytesOf(part.output));
      next++;
      return next < parts.length;
    };
    const play = () => {
      const hasMore = show();
      setAt(next);
      const pauseMs = (parts[next]?.atMs ?? 0) - (parts[next - 1]?.atMs ?? 0);
      if (hasMore) timer = setTimeout(play, Math.min(PAUSE_MS, pauseMs));
    };
    setPlayer({
      goTo: (part) => {
        clearTimeout(timer);
        screen.reset();
        for (next = 0; next < part; ) if (!show()) break;
        play();
      },
    });
    play();
    return () => clearTimeout(timer);
  };

  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('shells.recordingOf', { by: session.by })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Suspense fallback={<div className={classes.terminal} />}>
        <div className={classes.recording}>
          <Terminal
            label={t('shells.recordingOf', { by: session.by })}
            isFitted={false}
            onReady={handleReady}
          />
        </div>
      </Suspense>
      <Slider
        mt="md"
        min={0}
        max={Math.max(1, parts.length)}
        value={at}
        label={null}
        aria-label={t('shells.position')}
        onChange={(part) => player?.goTo(part)}
      />
      <Text size="xs" c="dimmed" mt={6}>
        {formatDuration(parts[at - 1]?.atMs ?? 0)} / {formatDuration(parts.at(-1)?.atMs ?? 0)}
      </Text>
    </Modal>
  );
}
