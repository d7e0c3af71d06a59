import type { Device } from '@albedo/contract/devices/devices.schema';
import { SegmentedControl } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '../../app/device-zone.ts';
import type { Layout } from '../../app/series/chart-layout.ts';
import type { ChartLine } from '../../app/series/chart-lines.ts';
import { FieldPicker } from '../../app/series/field-picker.tsx';
import { PickedCharts, PickedChartsSkeleton } from '../../app/series/picked-charts.tsx';
import { ownSources } from '../../app/series/source-groups.ts';
import { useWorkgroup } from '../../app/session.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { latestQuery } from '../devices/devices.queries.ts';
import { DataCharts } from './data-charts.tsx';
import { FieldSuggestions } from './field-suggestions.tsx';
import { suggest } from './suggestions.ts';
import { useTables } from './telemetry.queries.ts';
import { MOST_LINES, useDataAddress } from './use-data-address.ts';

/** Any fields of any source of the device over any range. */
export function DataExplorer({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const client = useQueryClient();
  const [address, change] = useDataAddress();
  const { data, isPending, isError, error, refetch } = useQuery(latestQuery(wg, device.id));
  const sources = useMemo(() => ownSources(data), [data]);
  const names = useMemo(
    () => [...new Set([...sources, ...(address.lines ?? [])].map((one) => one.table))],
    [sources, address.lines],
  );
  const { byName: tables, isPending: areTablesPending } = useTables(wg, names);
  // Values come and go with every sample; what is offered depends only on which fields there are.
  const shape = JSON.stringify(sources.map((one) => [one.table, one.source, Object.keys(one.values)]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the sources.
  const offers = useMemo(() => suggest(sources, tables), [shape, tables]);
  const lines = address.lines ?? offers[0]?.lines ?? NO_LINES;

  if (isPending || areTablesPending) return <PickedChartsSkeleton />;
  if (isError) {
    return <ErrorState title={t('telemetry.sourcesFailed')} error={error} onRetry={() => void refetch()} />;
  }
  if (sources.length === 0) {
    return (
      <EmptyState
        title={t('telemetry.data.none')}
        text={t(device.facts.version === null ? 'telemetry.data.never' : 'telemetry.data.waiting')}
      />
    );
  }
  return (
    <PickedCharts
      picker={
        <FieldPicker
          device={device.id}
          sources={sources}
          tables={tables}
          lines={lines}
          most={MOST_LINES}
          onChange={(next) => change({ lines: next })}
        />
      }
      count={lines.length}
      tools={
        <SegmentedControl
          size="xs"
          value={address.layout}
          onChange={(layout) => change({ layout: layout as Layout })}
          data={[
            { value: 'unit', label: t('telemetry.data.byUnit') },
            { value: 'one', label: t('telemetry.data.oneChart') },
            { value: 'each', label: t('telemetry.data.each') },
          ]}
          aria-label={t('telemetry.data.layout')}
        />
      }
      range={
        <TimeRangePicker
          value={address.time}
          onChange={(time) => change({ time }, true)}
          deviceZone={deviceZone(device)}
          onRefresh={() => void client.invalidateQueries({ queryKey: ['series'] })}
        />
      }
    >
      {lines.length === 0 ? (
        <FieldSuggestions offers={offers} onChoose={(next) => change({ lines: next }, true)} />
      ) : (
        <DataCharts
          device={device}
          lines={lines}
          layout={address.layout}
          time={address.time}
          tables={tables}
          onTime={(time) => change({ time }, true)}
        />
      )}
    </PickedCharts>
  );
}

const NO_LINES: ChartLine[] = [];
