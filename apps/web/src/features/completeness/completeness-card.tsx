import type { Completeness } from '@albedo/contract/completeness/completeness.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Progress, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { formatAge, formatLongDuration } from '../../ui/units/durations.ts';
import { formatCount, formatWhole } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { addReading, backfillOf, type Reading, readingOf } from './backfill.ts';
import classes from './completeness.module.css';
import { completenessQuery } from './completeness.queries.ts';
import { GapList } from './gap-list.tsx';
import { SetAsideList } from './set-aside-list.tsx';
import { StreamTable } from './stream-table.tsx';
import { verdictOf } from './verdict.ts';

/** What the device captured, what arrived, and what is missing and why. */
export function CompletenessCard({ device }: { device: Device }) {
  const wg = useWorkgroup();
  const { data, isPending, isError, error, refetch, dataUpdatedAt } = useQuery(
    completenessQuery(wg, device.id),
  );
  const now = useNow(1000);
  if (isPending) return <CompletenessSkeleton />;
  if (!data) {
    return (
      <Section title="Completeness">
        <ErrorState
          title="The ledger could not be loaded"
          error={isError ? error : 'No answer'}
          onRetry={() => void refetch()}
        />
      </Section>
    );
  }
  return (
    <Section
      title="Completeness"
      context={
        data.reportedAt === null
          ? 'The device has not reported its counters yet.'
          : `as the device counted ${formatAge(data.reportedAt, now)} ago`
      }
    >
      <Verdict ledger={data} isOnline={device.facts.online} />
      <Totals ledger={data} />
      <BackfillProgress ledger={data} at={dataUpdatedAt} isOnline={device.facts.online} />
      <StreamTable streams={data.streams} />
      <GapList gaps={data.gaps} />
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
  const totals: [string, number, string][] = [
    ['Captured', Math.max(ledger.captured, ledger.stored), 'Events that the device read from its sources'],
    ['Stored', ledger.stored, 'Events in the store, safe on disk'],
    ['Waiting', ledger.pending, 'Events in the outbox of the device'],
    ['Dropped', ledger.dropped, 'Events that the device gave up by its policy'],
    ['Set aside', ledger.setAside, 'Events that the server could not store'],
  ];
  return (
    <dl className={classes.totals}>
      {totals.map(([name, count, hint]) => (
        <div key={name} title={`${hint}: ${formatWhole(count)}`}>
          <dt>{name}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
      <div title="The outbox on the device">
        <dt>Outbox</dt>
        <dd>
          {formatBytes(ledger.outboxBytes)}
          {ledger.outboxLimitBytes > 0 ? <small> of {formatBytes(ledger.outboxLimitBytes)}</small> : null}
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

function BackfillProgress({ ledger, at, isOnline }: ProgressProps) {
  const readings = useRef<readonly Reading[]>([]);
  if (readings.current.at(-1)?.at !== at)
    readings.current = addReading(readings.current, readingOf(ledger, at));
  const backfill = backfillOf(ledger, readings.current);
  if (!backfill) return null;
  const { share, eventsPerS, msLeft } = backfill;
  const words = [
    isOnline ? 'Catching up' : 'Waiting for the device',
    ledger.pending > 0 ? `${formatCount(ledger.pending)} events to go` : null,
    ledger.unreadBytes > 0 ? `${formatBytes(ledger.unreadBytes)} of files not read yet` : null,
    isOnline && eventsPerS !== null ? `${formatCount(eventsPerS)} events/s` : null,
    isOnline && msLeft !== null && msLeft > 0 ? `about ${formatLongDuration(roughly(msLeft))} left` : null,
  ];
  return (
    <div className={classes.backfill}>
      <Text size="sm">{words.filter(Boolean).join(' · ')}</Text>
      {/* Nobody has counted the events of files that are still to be read: a bar would be a guess. */}
      {share === null ? null : (
        <Progress
          value={share * 100}
          color="brand"
          size="sm"
          aria-label="Share of the captured events that is stored"
        />
      )}
    </div>
  );
}

/** A guess is not told to the second. */
function roughly(ms: number): number {
  const step = ms > 3_600_000 ? 600_000 : ms > 120_000 ? 60_000 : 5000;
  return Math.max(step, Math.round(ms / step) * step);
}

function CompletenessSkeleton() {
  return (
    <Section title="Completeness">
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
