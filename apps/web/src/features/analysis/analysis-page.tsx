import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import { Alert, Button, CopyButton, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconCopy, IconExternalLink } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PickedCharts, PickedChartsSkeleton } from '../../app/series/picked-charts.tsx';
import { useZoom } from '../../app/series/use-span.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { formulaeQuery } from '../formulae/formulae.queries.ts';
import { useLatestLive } from '../telemetry/telemetry.queries.ts';
import { AnalysisCharts } from './analysis-charts.tsx';
import type { AnalysisLine } from './analysis-lines.ts';
import { AnalysisTools } from './analysis-tools.tsx';
import { DeviceTree } from './device-tree.tsx';
import { FormulaList } from './formula-list.tsx';
import { useAnalysis } from './use-analysis.ts';
import { useAnalysisAddress } from './use-analysis-address.ts';
import { useMarks } from './use-marks.ts';

/** Charts over any fields of any devices; everything that is seen stands in the address. */
export function AnalysisPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const devices = useQuery(deviceListQuery(wg));
  const formulas = useQuery(formulaeQuery(wg));
  return (
    <Page title={t('analysis.title')} context={t('analysis.context')} actions={<LinkButtons />}>
      {devices.error ? (
        <ErrorState
          title={t('analysis.devicesFailed')}
          error={devices.error}
          onRetry={() => void devices.refetch()}
        />
      ) : devices.data && !formulas.isPending ? (
        devices.data.length === 0 ? (
          <EmptyState title={t('analysis.noDevices')} text={t('analysis.noDevicesText')} />
        ) : (
          <Analysis devices={devices.data} formulas={formulas.data ?? NO_FORMULAS} />
        )
      ) : (
        <PickedChartsSkeleton />
      )}
    </Page>
  );
}

const NO_FORMULAS: Formula[] = [];

function LinkButtons() {
  const { t } = useTranslation();
  return (
    <Group gap={8} wrap="nowrap">
      <CopyButton value="" timeout={2000}>
        {({ copied }) => (
          <Button
            variant="default"
            leftSection={<IconCopy size={16} />}
            onClick={() => void navigator.clipboard.writeText(location.href)}
          >
            {copied ? t('actions.copied') : t('analysis.copyLink')}
          </Button>
        )}
      </CopyButton>
      <Button
        variant="default"
        leftSection={<IconExternalLink size={16} />}
        onClick={() => window.open(location.href, '_blank', 'noopener')}
      >
        {t('analysis.openCopy')}
      </Button>
    </Group>
  );
}

interface AnalysisProps {
  devices: DeviceSummary[];
  formulas: readonly Formula[];
}

function Analysis({ devices, formulas }: AnalysisProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [address, change] = useAnalysisAddress();
  const { ref, width } = useElementSize();
  const analysis = useAnalysis(address, devices, formulas, width);
  const { query, drawn, series, span, shown, zoneOf, tables } = analysis;
  const zooming = useZoom(address.time, span, (time) => change({ time }, true));
  const marks = useMarks(drawn, devices, span, address.hasMarks);
  const hidden = address.lines.length - drawn.length;
  const setLines = (lines: AnalysisLine[]) => change({ lines });
  return (
    <PickedCharts
      ref={ref}
      picker={
        <DeviceTree devices={devices} lines={address.lines} onChange={setLines}>
          <FormulaList formulas={formulas} lines={address.lines} devices={devices} onChange={setLines} />
        </DeviceTree>
      }
      count={address.lines.length}
      tools={
        <AnalysisTools
          address={address}
          change={change}
          span={span}
          tables={tables}
          lines={drawn.map(({ key, label }) => ({ value: key, label }))}
        />
      }
      range={
        <TimeRangePicker
          value={address.time}
          onChange={(time) => change({ time }, true)}
          deviceZone={analysis.deviceZone}
          onRefresh={() => void client.invalidateQueries({ queryKey: ['series'] })}
          isLoading={query.isFetching}
        />
      }
    >
      {hidden > 0 ? (
        <Alert color="gray" variant="light" fz={13}>
          {t('analysis.hiddenFormulas', { count: hidden })}
        </Alert>
      ) : null}
      {query.isError ? (
        <ErrorState
          title={t('telemetry.data.failed')}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {drawn.length === 0 ? (
        <EmptyState title={t('analysis.empty')} text={t('analysis.emptyText')} />
      ) : query.isError && !series ? null : (
        <AnalysisCharts
          {...zooming}
          address={address}
          change={change}
          lines={drawn}
          series={series}
          devices={devices}
          span={shown}
          zoneOf={zoneOf}
          marks={marks}
          isRefreshing={query.isFetching && query.isPlaceholderData}
        />
      )}
      {analysis.isLive ? analysis.ids.map((id) => <Follow key={id} device={id} />) : null}
      <Notes address={address} analysis={analysis} devices={devices} />
    </PickedCharts>
  );
}

/** Keeps the newest values of a device true while they are drawn. */
function Follow({ device }: { device: string }) {
  useLatestLive(useWorkgroup(), device);
  return null;
}

interface NotesProps {
  address: ReturnType<typeof useAnalysisAddress>[0];
  analysis: ReturnType<typeof useAnalysis>;
  devices: DeviceSummary[];
}

/** What was wished for and cannot be drawn, with what is missing for it. */
function Notes({ address, analysis, devices }: NotesProps) {
  const { t } = useTranslation();
  const { drawn, known, isMixed } = analysis;
  const names = (lacks: (id: string) => boolean) =>
    [...new Set(drawn.map(({ device }) => device))]
      .filter((id) => known.has(id) && lacks(id))
      .map((id) => devices.find((one) => one.id === id)?.name ?? id)
      .join(', ');
  const siteOf = (id: string) => known.get(id)?.site;
  const hasNoPower = (id: string) => !(siteOf(id)?.ratedPowerW ?? siteOf(id)?.peakPowerW);
  const unrated = address.isNormalised || address.hasClearSky ? names(hasNoPower) : '';
  const unplaced = address.hasClearSky ? names((id) => siteOf(id)?.latitudeDeg === null) : '';
  const notes = [
    unrated === '' ? null : t('analysis.notes.unrated', { names: unrated }),
    unplaced === '' ? null : t('analysis.notes.unplaced', { names: unplaced }),
    isMixed ? t('analysis.notes.mixed') : null,
  ].filter((note) => note !== null);
  return notes.map((note) => (
    <Text key={note} size="sm" c="dimmed">
      {note}
    </Text>
  ));
}
