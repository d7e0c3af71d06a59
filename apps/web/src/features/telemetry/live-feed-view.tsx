import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { fieldName } from '../../app/series/field-name.ts';
import { inMeaningfulOrder } from '../../app/series/field-order.ts';
import { unitsOf } from '../../app/series/source-groups.ts';
import { useWorkgroup } from '../../app/session.ts';
import { request, subscribe } from '../../app/socket.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { formatClock } from '../../ui/time-range/zoned-time.ts';
import { LiveChart } from '../../ui/time-series-chart/live-chart.tsx';
import { lineStyle, type Scheme } from '../../ui/time-series-chart/palette.ts';
import { agoText, formatDuration } from '../../ui/units/durations.ts';
import { formatFixed } from '../../ui/units/numbers.ts';
import { FeedStore, type FeedView, type Sample } from './feed-store.ts';
import classes from './live-feed.module.css';
import { seriesQuery } from './telemetry.queries.ts';
import { valueText } from './value-text.ts';

interface LiveFeedViewProps {
  deviceId: string;
  source: LatestSource;
  info: TableInfo | undefined;
  fields: readonly string[];
  windowMs: number;
  isPaused: boolean;
}

/** Chart, newest values and log of one feed. */
export function LiveFeedView({ deviceId, source, info, fields, windowMs, isPaused }: LiveFeedViewProps) {
  const { t } = useTranslation();
  const { table, source: name } = source;
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [store] = useState(() => new FeedStore());
  const zone = resolveZone('');
  const names = fields.join('\n');
  const wg = useWorkgroup();
  const [openedAt] = useState(Date.now);
  const stored = useQuery({
    ...seriesQuery({
      wg,
      series: fields.map((field) => ({ device: deviceId, table, source: name, field })),
      from: openedAt - windowMs,
      to: openedAt + 1,
      maxPoints: 2000,
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks for the feed anew.
  useEffect(() => {
    setFailure(null);
    let feedId: string | null = null;
    const stop = subscribe(
      'device:feed',
      { deviceId, table, source: name },
      (sample) => {
        feedId = sample.feedId;
        store.take(sample.events, Date.now());
      },
      (error) => {
        // The top bar shows a lost connection, and the feed comes back with it.
        if (error.message !== 'Socket disconnected') setFailure(error.message);
      },
    );
    return () => {
      stop();
      // A feed that is not stopped ends by itself a little later.
      if (feedId !== null) request('device:feed:stop', { feedId }).catch(() => {});
    };
  }, [store, deviceId, table, name, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the names count, not the list they stand in.
  const buffer = useMemo(() => store.bufferFor(fields, stored.data?.points), [store, names, stored.data]);
  const tables = useMemo(() => new Map(info ? [[table, info]] : []), [info, table]);
  const hasStored = stored.data?.points.some(({ times }) => times.length > 0) ?? false;
  const units = fields.map((field) => unitsOf(tables, table, field));
  const inOrder = (values: LatestSource['values']) =>
    inMeaningfulOrder(values, (field) => unitsOf(tables, table, field));
  const textOf = (field: string, value: number | string | null | undefined) => {
    const known = info?.fields.find((one) => one.name === field);
    return valueText(value, known?.type, known?.units ?? null, zone);
  };

  if (failure !== null) {
    return (
      <Section title={name}>
        <ErrorState
          title={t('telemetry.live.ended')}
          error={new Error(failure)}
          onRetry={() => setAttempt(attempt + 1)}
        />
      </Section>
    );
  }
  return (
    <>
      <div className={classes.view}>
        <Section title={name} context={<FeedRate store={store} isPaused={isPaused} hasStored={hasStored} />}>
          {fields.length > 0 ? (
            <LiveChart
              label={t('telemetry.live.chartOf', { name, fields: fields.join(', ') })}
              buffer={buffer}
              units={units}
              windowMs={windowMs}
              isPaused={isPaused}
              timeZone={zone}
              height={340}
            />
          ) : (
            <p className={classes.hint}>{t('telemetry.live.nothingDrawn')}</p>
          )}
        </Section>
        <Section title={t('telemetry.live.newest')}>
          <NewestValues
            store={store}
            before={source.values}
            drawn={fields}
            inOrder={inOrder}
            textOf={textOf}
          />
        </Section>
      </div>
      <Section title={t('telemetry.live.samples')} context={t('telemetry.live.newestFirst')} isFlush>
        <SampleLog store={store} isPaused={isPaused} zone={zone} inOrder={inOrder} textOf={textOf} />
      </Section>
    </>
  );
}

type TextOf = (field: string, value: number | string | null | undefined) => string;
type InOrder = (values: LatestSource['values']) => string[];

const useFeed = (store: FeedStore): FeedView => useSyncExternalStore(store.watch, store.view);

function FeedRate(of: { store: FeedStore; isPaused: boolean; hasStored: boolean }) {
  const { store, isPaused, hasStored } = of;
  const { t } = useTranslation();
  const { received, receivedAt, perS } = useFeed(store);
  const now = useNow(1000);
  // The curve of what is stored is drawn already: it is the next sample that is waited for.
  if (received === 0)
    return <span>{t(hasStored ? 'telemetry.live.waitingForNext' : 'telemetry.live.waiting')}</span>;
  const rate =
    perS >= 0.95
      ? t('telemetry.live.perSecond', { count: perS, text: formatFixed(perS, 1) })
      : t('telemetry.live.oneIn', { time: formatDuration(1000 * Math.round(1 / Math.max(perS, 1e-6))) });
  const words = [
    isPaused ? t('telemetry.live.paused') : null,
    received > 2 ? rate : null,
    t('telemetry.live.last', { ago: agoText(receivedAt, now) }),
  ];
  return <span>{words.filter((one) => one !== null).join(' · ')}</span>;
}

interface NewestValuesProps {
  store: FeedStore;
  /** Shown until the feed speaks. */
  before: LatestSource['values'];
  drawn: readonly string[];
  inOrder: InOrder;
  textOf: TextOf;
}

function NewestValues({ store, before, drawn, inOrder, textOf }: NewestValuesProps) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme('light') as Scheme;
  const { newest } = useFeed(store);
  const values = { ...before, ...newest };
  const fields = [...drawn, ...inOrder(values).filter((field) => !drawn.includes(field))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard.
    <ul className={classes.values} tabIndex={0} aria-label={t('telemetry.live.newest')}>
      {fields.map((field) => {
        const line = drawn.indexOf(field);
        return (
          <li key={field}>
            <span
              className={classes.swatch}
              style={line < 0 ? undefined : { background: lineStyle(line, scheme).colour }}
            />
            <span className={classes.name}>{fieldName(field)}</span>
            <span className={classes.value}>{textOf(field, values[field])}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface SampleLogProps {
  store: FeedStore;
  isPaused: boolean;
  zone: string;
  inOrder: InOrder;
  textOf: TextOf;
}

/** The samples as they came; paused, the list stands still to be read. */
function SampleLog({ store, isPaused, zone, inOrder, textOf }: SampleLogProps) {
  const { t } = useTranslation();
  const { samples } = useFeed(store);
  const [frozen, setFrozen] = useState<FeedView['samples'] | null>(null);
  if (isPaused && frozen === null) setFrozen(samples);
  if (!isPaused && frozen !== null) setFrozen(null);
  const shown = frozen ?? samples;
  if (shown.length === 0) return <p className={classes.hint}>{t('telemetry.live.noSample')}</p>;
  const fields = inOrder(Object.assign({}, ...shown.slice(0, 20).map((one) => one.values)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard.
    <section className={classes.log} tabIndex={0} aria-label={t('telemetry.live.log')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('telemetry.live.time')}</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {fieldName(field)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((sample) => (
            <SampleRow key={sample.id} sample={sample} fields={fields} zone={zone} textOf={textOf} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface SampleRowProps {
  sample: Sample;
  fields: readonly string[];
  zone: string;
  textOf: TextOf;
}

/** A sample never changes, so its row is drawn once. */
const SampleRow = memo(
  function SampleRow({ sample, fields, zone, textOf }: SampleRowProps) {
    return (
      <tr>
        <td>
          {formatClock(sample.at, zone, true)}.{String(Math.floor(sample.at) % 1000).padStart(3, '0')}
        </td>
        {fields.map((field) => (
          <td key={field}>{textOf(field, sample.values[field])}</td>
        ))}
      </tr>
    );
  },
  (before, after) => before.sample === after.sample && before.fields.length === after.fields.length,
);
