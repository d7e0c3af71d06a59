import { analysisScreens } from '@albedo/contract/analysis/analysis.screens';
import { Alert, Button, CopyButton, Group, Tabs } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconCopy, IconExternalLink } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { denialOf, visitorOf } from '../../app/guard.ts';
import { PickedCharts, PickFirst } from '../../app/series/picked-charts.tsx';
import { useZoom } from '../../app/series/use-span.ts';
import { useSignedIn, useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { selectedZone } from '../../ui/time-range/time-zone.ts';
import { zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { useLatestLive } from '../telemetry/telemetry.queries.ts';
import { writeAddress } from './analysis-address.ts';
import { AnalysisCharts } from './analysis-charts.tsx';
import { type AnalysisLine, analysisLineToText, isFormula } from './analysis-lines.ts';
import { AnalysisNotes } from './analysis-notes.tsx';
import { AnalysisTools } from './analysis-tools.tsx';
import classes from './analysis-view.module.css';
import { FormulaList } from './formula-list.tsx';
import { type AnalysisFacts, useAnalysis } from './use-analysis.ts';
import { useAnalysisAddress } from './use-analysis-address.ts';
import { useMarks } from './use-marks.ts';

/** Title, the way to the other kind of analysis, and the links of the page around what is picked and drawn. */
export function AnalysisFrame({ at, children }: { at: AnalysisPath; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Page title={t('analysis.title')} context={t(CONTEXTS[at])} actions={<LinkButtons />}>
      <Ways at={at} />
      {children}
    </Page>
  );
}

export type AnalysisPath = keyof typeof analysisScreens;
const CONTEXTS: Record<AnalysisPath, string> = {
  '/analysis': 'analysis.context',
  '/analysis/entities': 'analysis.entities.context',
};

/** By devices or by entities; how it is drawn stays the same, what is drawn does not. Alone, the one way is no choice. */
function Ways({ at }: { at: AnalysisPath }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [address] = useAnalysisAddress();
  const visitor = visitorOf(useSignedIn());
  const ways = (Object.keys(analysisScreens) as AnalysisPath[]).filter(
    (path) => visitor && denialOf(analysisScreens[path], visitor) === null,
  );
  if (ways.length < 2) return null;
  return (
    <Tabs
      value={at}
      className={classes.ways ?? ''}
      onChange={(to) => {
        const search = writeAddress({ ...address, lines: [], x: null });
        if (to && to !== at) void navigate({ to, search: search as never });
      }}
    >
      <TabList
        shown={at}
        tabs={ways.map((id) => ({
          id,
          title: t(id === '/analysis' ? 'analysis.entities.byDevice' : 'analysis.entities.byEntity'),
        }))}
      />
    </Tabs>
  );
}

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

interface AnalysisProps extends AnalysisFacts {
  /** What lines are picked from; formulas stand in it. */
  picker: (props: PickerProps) => ReactNode;
  /** What to do first, where nothing is picked. */
  emptyText: string;
}

export interface PickerProps {
  lines: readonly AnalysisLine[];
  onChange: (lines: AnalysisLine[]) => void;
  children: ReactNode;
}

/** What is picked beside how it is drawn; everything that is seen stands in the address. */
export function AnalysisView({ picker, emptyText, ...facts }: AnalysisProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [address, change] = useAnalysisAddress();
  const { ref, width } = useElementSize();
  const analysis = useAnalysis(address, facts, width);
  const { devices, formulas } = facts;
  const { query, drawn, series, span, shown, zoneOf, tables } = analysis;
  const zooming = useZoom(address.time, span, (time) => change({ time }, true));
  const marks = useMarks(drawn, devices, span, address.hasMarks);
  const keys = new Set(drawn.map(({ key }) => key));
  const hidden = address.lines.filter((line) => !keys.has(analysisLineToText(line)));
  const hiddenFormulas = hidden.filter(isFormula).length;
  const hiddenEntities = hidden.length - hiddenFormulas;
  const streams = drawn.filter(({ streams: all }) => all.length === 1).flatMap((line) => line.streams);
  const setLines = (lines: AnalysisLine[]) => change({ lines });
  return (
    <PickedCharts
      ref={ref}
      picker={picker({
        lines: address.lines,
        onChange: setLines,
        children: (
          <FormulaList
            formulas={formulas}
            lines={address.lines}
            streams={streams.map(({ device, table, source, field }) => ({ device, table, source, field }))}
            devices={devices}
            onChange={setLines}
          />
        ),
      })}
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
      {hiddenFormulas > 0 ? (
        <Alert color="gray" variant="light" fz={13}>
          {t('analysis.hiddenFormulas', { count: hiddenFormulas })}
        </Alert>
      ) : null}
      {hiddenEntities > 0 ? (
        <Alert color="gray" variant="light" fz={13}>
          {t('analysis.entities.hidden', { count: hiddenEntities })}
        </Alert>
      ) : null}
      {analysis.isMixed ? (
        <Alert color="gray" variant="light" fz={13}>
          {t('analysis.notes.mixed')}{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => change({ time: { ...address.time, zone: selectedZone() } })}
          >
            {t('analysis.notes.inOneZone', { zone: zoneLabel(selectedZone(), span.to) })}
          </Button>
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
        <EmptyState title={t('analysis.empty')} text={emptyText}>
          <PickFirst />
        </EmptyState>
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
      <AnalysisNotes address={address} analysis={analysis} devices={devices} />
    </PickedCharts>
  );
}

/** Keeps the newest values of a device true while they are drawn. */
function Follow({ device }: { device: string }) {
  useLatestLive(useWorkgroup(), device);
  return null;
}
