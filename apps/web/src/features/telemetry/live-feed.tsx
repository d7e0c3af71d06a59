import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import { Button, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { inMeaningfulOrder } from '../../app/series/field-order.ts';
import { groupSources, ownSources, unitsOf } from '../../app/series/source-groups.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { formatDuration } from '../../ui/units/durations.ts';
import { latestQuery } from '../devices/devices.queries.ts';
import classes from './live-feed.module.css';
import { LiveFeedView } from './live-feed-view.tsx';
import { type Tables, useTables } from './telemetry.queries.ts';
import { useLiveAddress } from './use-live-address.ts';

/** Fields drawn until somebody chooses others. */
const FIRST_FIELDS = 3;
/** A source that is this much older than the newest one does not move any more. */
const LIVELY_MS = 60_000;
/** Lengths of the drawn window, s. */
const WINDOWS_S = [60, 300, 900, 3600];

/** One source of the device as it captures it, before anything is stored. */
export function LiveFeed({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, isPending, isError, error, refetch } = useQuery(latestQuery(wg, device.id));
  const [address, setAddress] = useLiveAddress();
  const sources = useMemo(() => ownSources(data), [data]);
  const names = useMemo(() => [...new Set(sources.map((one) => one.table))], [sources]);
  const { byName: tables, isPending: areTablesPending } = useTables(wg, names);
  const chosen =
    sources.find((one) => one.table === address.table && one.source === address.source) ??
    busiest(sources, tables);
  const numeric = useMemo(() => numericFields(chosen, tables), [chosen, tables]);
  const key = numeric.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names count, not the list they stand in.
  const fields = useMemo(() => {
    const wanted = address.fields.filter((field) => numeric.includes(field));
    if (wanted.length > 0 || !chosen) return wanted;
    const first = numeric[0];
    const units = first === undefined ? null : unitsOf(tables, chosen.table, first);
    const alike = numeric.filter((field) => unitsOf(tables, chosen.table, field) === units);
    const totals = alike.filter((field) => !/\d$/.test(field));
    return (totals.length > 0 ? totals : alike).slice(0, FIRST_FIELDS);
  }, [key, address.fields.join('\n'), tables, chosen?.table]);

  if (isPending || areTablesPending) return <TableSkeleton rows={8} />;
  if (isError) {
    return <ErrorState title={t('telemetry.sourcesFailed')} error={error} onRetry={() => void refetch()} />;
  }
  if (!device.facts.online) {
    return (
      <Section title={t('device.tabs.live-feed')}>
        <EmptyState
          title={t('telemetry.live.offline', { name: device.name })}
          text={t('telemetry.live.offlineText')}
        >
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to="/devices/$deviceId/$tab" params={{ deviceId: device.id, tab: 'data' }} />
            )}
          >
            {t('telemetry.live.openStored')}
          </Button>
        </EmptyState>
      </Section>
    );
  }
  if (!chosen) {
    return (
      <Section title={t('device.tabs.live-feed')}>
        <EmptyState title={t('telemetry.live.noSources')} text={t('telemetry.live.noSourcesText')} />
      </Section>
    );
  }
  return (
    <div className={classes.tab}>
      <div className={classes.tools}>
        <Select
          label={t('telemetry.live.source')}
          searchable
          allowDeselect={false}
          data={groupSources(sources, tables).map((group) => ({
            group: group.table,
            items: group.sources.map((one) => ({ value: streamOf(one), label: one.source })),
          }))}
          value={streamOf(chosen)}
          onChange={(value) => {
            const next = sources.find((one) => streamOf(one) === value);
            if (next) setAddress({ table: next.table, source: next.source, fields: [] });
          }}
          className={classes.source}
        />
        <MultiSelect
          label={t('telemetry.fields')}
          searchable
          hidePickedOptions
          maxValues={8}
          data={numeric}
          value={fields}
          onChange={(next) => setAddress({ table: chosen.table, source: chosen.source, fields: next })}
          placeholder={fields.length === 0 ? t('telemetry.live.choose') : ''}
          className={classes.fields}
        />
        <div className={classes.timing}>
          <div className={classes.window}>
            <span className={classes.windowLabel}>{t('telemetry.live.window')}</span>
            <SegmentedControl
              value={String(address.windowS)}
              onChange={(next) => setAddress({ windowS: Number(next) })}
              data={WINDOWS_S.map((seconds) => ({
                value: String(seconds),
                label: formatDuration(seconds * 1000),
              }))}
              aria-label={t('telemetry.live.windowLength')}
            />
          </div>
          <Button
            variant="default"
            className={classes.pause}
            leftSection={address.isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            onClick={() => setAddress({ isPaused: !address.isPaused })}
          >
            {t(address.isPaused ? 'telemetry.live.resume' : 'telemetry.live.pause')}
          </Button>
        </div>
      </div>
      <LiveFeedView
        key={`${device.id}\n${streamOf(chosen)}`}
        deviceId={device.id}
        source={chosen}
        info={tables.get(chosen.table)}
        fields={fields}
        windowMs={address.windowS * 1000}
        isPaused={address.isPaused}
      />
    </div>
  );
}

const streamOf = ({ table, source }: LatestSource): string => JSON.stringify([table, source]);

/** Of the sources that spoke a moment ago the one that stands first. */
function busiest(sources: readonly LatestSource[], tables: Tables['byName']): LatestSource | undefined {
  const newest = Math.max(...sources.map((one) => one.eventAt));
  const lively = sources.filter((one) => one.eventAt > newest - LIVELY_MS);
  return groupSources(lively, tables)[0]?.sources[0];
}

function numericFields(source: LatestSource | undefined, tables: Tables['byName']): string[] {
  if (!source) return [];
  return inMeaningfulOrder(source.values, (field) => unitsOf(tables, source.table, field)).filter(
    (field) => typeof source.values[field] !== 'string',
  );
}
