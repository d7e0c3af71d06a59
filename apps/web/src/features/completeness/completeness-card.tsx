import type { Completeness } from '@albedo/contract/completeness/completeness.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Progress, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { agoText, formatLongDuration } from '../../ui/units/durations.ts';
import { formatCount, formatDecimal, formatWhole } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { addReading, backfillOf, type Reading, readingOf } from './backfill.ts';
import classes from './completeness.module.css';
import { completenessQuery } from './completeness.queries.ts';
import { Copies } from './copies.tsx';
import { GapList } from './gap-list.tsx';
import { ImportedList } from './imported-list.tsx';
import { SetAsideList } from './set-aside-list.tsx';
import { StreamTable } from './stream-table.tsx';
import { verdictOf } from './verdict.ts';

/** What the device captured, what arrived, and what is missing and why. */
export function CompletenessCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, isPending, isError, error, refetch, dataUpdatedAt } = useQuery(
    completenessQuery(wg, device.id),
  );
  const now = useNow(1000);
  if (isPending) return <CompletenessSkeleton />;
  if (!data) {
    return (
      <Section title={t('completeness.title')}>
        <ErrorState
          title={t('completeness.failed')}
          error={isError ? error : t('completeness.noAnswer')}
          onRetry={() => void refetch()}
        />
      </Section>
    );
  }
  return (
    <Section
      title={t('completeness.title')}
      context={
        data.reportedAt === null
          ? t('completeness.notReported')
          : t('completeness.reported', { ago: agoText(data.reportedAt, now) })
      }
    >
      <Verdict ledger={data} isOnline={device.facts.online} />
      <BackfillProgress ledger={data} at={dataUpdatedAt} isOnline={device.facts.online} />
      <Totals ledger={data} />
      <StreamTable streams={data.streams} />
      <Copies ledger={data} />
      <GapList gaps={data.gaps} />
      <ImportedList imported={data.imported} />
      <SetAsideList deviceId={device.id} setAside={data.setAside} />
    </Section>
  );
}

/** The whole ledger in one sentence. */
function Verdict({ ledger, isOnline }: { ledger: Completeness; isOnline: boolean }) {
  const { mark, text } = verdictOf(ledger, isOnline);
  return (
    <p className={classes.verdict} data-mark={mark}>
      <LevelIcon mark={mark} size={14} />
      {text}
    </p>
  );
}

function Totals({ ledger }: { ledger: Completeness }) {
  const { t } = useTranslation();
  const totals = {
    captured: Math.max(ledger.captured, ledger.stored),
    stored: ledger.stored,
    waiting: ledger.pending,
    dropped: ledger.dropped,
    setAside: ledger.setAside,
  };
  return (
    <dl className={classes.totals}>
      {Object.entries(totals).map(([name, count]) => (
        <div key={name} title={`${t(`completeness.hints.${name}`)}: ${formatWhole(count)}`}>
          <dt>{t(`completeness.totals.${name}`)}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
      <div title={t('completeness.hints.outbox')}>
        <dt>{t('completeness.totals.outbox')}</dt>
        <dd>
          {formatBytes(ledger.outboxBytes)}
          {ledger.outboxLimitBytes > 0 ? (
            <small> {t('completeness.ofBytes', { bytes: formatBytes(ledger.outboxLimitBytes) })}</small>
          ) : null}
        </dd>
      </div>
    </dl>
  );
}

interface ProgressProps {
  ledger: Completeness;
  at: number;
  isOnline: boolean;
}

/** How far the device is with what it kept: one bar, and beside it what is still to come and for how long. */
function BackfillProgress({ ledger, at, isOnline }: ProgressProps) {
  const { t } = useTranslation();
  const readings = useRef<readonly Reading[]>([]);
  if (readings.current.at(-1)?.at !== at)
    readings.current = addReading(readings.current, readingOf(ledger, at));
  const backfill = backfillOf(ledger, readings.current);
  if (!backfill) return null;
  const { share, eventsPerS, msLeft } = backfill;
  const words = [
    ledger.pending > 0
      ? t('completeness.backfill.toGo', { count: ledger.pending, text: formatCount(ledger.pending) })
      : null,
    ledger.unreadBytes > 0
      ? t('completeness.backfill.unread', { bytes: formatBytes(ledger.unreadBytes) })
      : null,
    isOnline && eventsPerS !== null
      ? t('completeness.backfill.rate', { text: formatCount(eventsPerS) })
      : null,
    isOnline && msLeft !== null && msLeft > 0
      ? t('completeness.backfill.left', { time: formatLongDuration(roughly(msLeft)) })
      : null,
  ];
  return (
    <div className={classes.backfill}>
      <div className={classes.line}>
        <strong>{t(isOnline ? 'completeness.backfill.catchingUp' : 'completeness.backfill.waiting')}</strong>
        {share === null ? null : (
          <strong>
            {t('completeness.backfill.share', { percent: formatDecimal(Math.floor(share * 100), 0) })}
          </strong>
        )}
        <span className={classes.dim}>{words.filter((one) => one !== null).join(' · ')}</span>
      </div>
      {/* Nobody has counted the events of files that are still to be read: then the bar moves without an end. */}
      <Progress.Root size="md">
        <Progress.Section
          value={share === null ? 100 : share * 100}
          color="brand"
          striped={share === null}
          animated={share === null && isOnline}
          {...(share === null ? { withAria: false } : {})}
          aria-label={t('completeness.backfill.shareOf')}
        />
      </Progress.Root>
    </div>
  );
}

/** A guess is not shown to the second. */
function roughly(ms: number): number {
  const step = ms > 3_600_000 ? 600_000 : ms > 120_000 ? 60_000 : 5000;
  return Math.max(step, Math.round(ms / step) * step);
}

function CompletenessSkeleton() {
  const { t } = useTranslation();
  return (
    <Section title={t('completeness.title')}>
      <Skeleton height={14} width="50%" mb={14} />
      <div className={classes.totals}>
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <div key={key}>
            <Skeleton height={10} width={60} mb={8} />
            <Skeleton height={16} width={80} />
          </div>
        ))}
      </div>
      <Skeleton height={160} mt={16} />
    </Section>
  );
}
