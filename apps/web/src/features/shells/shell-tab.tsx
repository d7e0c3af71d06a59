import type { Device } from '@albedo/contract/devices/devices.schema';
import type { ShellEnd } from '@albedo/contract/shells/shells.schema';
import { Button, Text } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { type ActionReply, request, subscribeOnce } from '../../app/socket.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatDuration } from '../../ui/units/durations.ts';
import { ShellList } from './shell-list.tsx';
import classes from './shells.module.css';
import { openShell, shellsChanged, useRemoteAccessEnd } from './shells.queries.ts';
import { bytesOf, type TerminalScreen } from './terminal-screen.ts';

const Terminal = lazy(async () => ({ default: (await import('./terminal.tsx')).Terminal }));

interface Opened {
  id: string;
  endsAt: number;
}

/** A terminal on the device, one at a time, and the ones before. */
export function ShellTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [ended, setEnded] = useState<string | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  const mayAudit = usePermission('audit');
  const endedBy = useRemoteAccessEnd(wg);

  const handleOpen = () =>
    attempt(async () => {
      setEnded(null);
      setOpened(await openShell(wg, device.id));
    });
  const handleEnd = useCallback(
    (why: string) => {
      setEnded(why);
      setOpened(null);
      void shellsChanged(wg, device.id);
    },
    [wg, device.id],
  );

  return (
    <div className={classes.stack}>
      {opened ? (
        <OpenTerminal key={opened.id} device={device} opened={opened} onEnd={handleEnd} />
      ) : (
        <Section title={t('shells.title')}>
          {endedBy !== null ? (
            <EmptyState title={t('shells.off')} text={t('shells.offText', { by: endedBy })} />
          ) : device.facts.online ? (
            <div className={classes.intro}>
              <Text size="sm">{t('shells.intro')}</Text>
              {ended === null ? null : (
                <Text size="sm" role="status" fw={600}>
                  {ended}
                </Text>
              )}
              <Failure text={failure} />
              <Button
                leftSection={<IconTerminal2 size={16} />}
                loading={isWorking}
                onClick={() => void handleOpen()}
              >
                {t('shells.open')}
              </Button>
            </div>
          ) : (
            <EmptyState
              title={t('shells.offline', { name: device.name })}
              text={ended ?? t('shells.offlineText')}
            />
          )}
        </Section>
      )}
      {mayAudit ? <ShellList device={device} /> : null}
    </div>
  );
}

/** Bytes shown are told to the server in portions of this size. */
const TOLD_BYTES = 32 * 1024;

interface OpenTerminalProps {
  device: Device;
  opened: Opened;
  /** In words, why it is over. */
  onEnd: (why: string) => void;
}

function OpenTerminal({ device, opened, onEnd }: OpenTerminalProps) {
  const { t } = useTranslation();
  const now = useNow(1000);
  const of = { deviceId: device.id, shellId: opened.id };
  const over = useRef(onEnd);
  over.current = onEnd;
  /** Keys from before the terminal took any; null once it does. */
  const early = useRef<string | null>('');
  const say = (what: { keys?: string; size?: { cols: number; rows: number }; shown?: number }) =>
    // What cannot be said any more belongs to a shell that has ended, which is told by its last reply.
    void request('device:shell:say', { ...of, ...what }).catch(() => {});

  const handleReady = (screen: TerminalScreen) => {
    let unsaid = 0;
    const take = ({ output, end, exitCode }: ActionReply<'device:shell'>) => {
      if (early.current) say({ keys: early.current });
      early.current = null;
      if (output) {
        const bytes = bytesOf(output);
        screen.show(bytes, () => {
          unsaid += bytes.length;
          if (unsaid < TOLD_BYTES) return;
          say({ shown: unsaid });
          unsaid = 0;
        });
      }
      if (end) over.current(endText(t, end, exitCode ?? null));
    };
    return subscribeOnce('device:shell', { ...of, cols: screen.cols, rows: screen.rows }, take, (error) =>
      over.current(error.message),
    );
  };

  return (
    <Section
      title={t('shells.title')}
      context={t('shells.left', { time: formatDuration(Math.max(0, opened.endsAt - now)) })}
      isFlush
      actions={
        <Button size="xs" variant="default" onClick={() => onEnd(endText(t, 'left', null))}>
          {t('shells.close')}
        </Button>
      }
    >
      <Suspense fallback={<div className={classes.terminal} />}>
        <Terminal
          label={t('shells.terminal', { name: device.name })}
          isFitted
          onReady={handleReady}
          onKeys={(keys) => {
            if (early.current === null) say({ keys });
            else early.current += keys;
          }}
          onSize={(cols, rows) => say({ size: { cols, rows } })}
        />
      </Suspense>
    </Section>
  );
}

function endText(t: TFunction, end: ShellEnd, exitCode: number | null): string {
  return end === 'exit' && exitCode !== null && exitCode !== 0
    ? t('shells.ends.exitCode', { code: exitCode })
    : t(`shells.ends.${end}`);
}
