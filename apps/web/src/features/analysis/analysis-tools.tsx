import { SERIES_FUNCTIONS, type SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Button, Group, NumberInput, Popover, SegmentedControl, Select, Stack, Switch } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LAYOUTS, type Layout } from '../../app/series/chart-layout.ts';
import { COMPARISONS, type Comparison } from '../../app/series/earlier.ts';
import type { Span } from '../../ui/time-range/time-range.ts';
import { type AnalysisAddress, EVENT_TIME, VIEWS, type View } from './analysis-address.ts';
import classes from './analysis-tools.module.css';
import type { ChangeAddress } from './use-analysis-address.ts';

/** Source: specification 1, section 9. Lengths are about those of the calendar, ms. */
const INTERVALS: readonly (readonly [interval: string, ms: number])[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => [`${n}m`, n * 60_000] as const),
  ...[1, 6, 12].map((n) => [`${n}h`, n * 3_600_000] as const),
  ['1d', 86_400_000],
  ['1w', 7 * 86_400_000],
  ['1M', 30 * 86_400_000],
  ['1y', 365 * 86_400_000],
];
/** More points of one line than that are no chart any more. */
const MOST_POINTS = 10_000;

interface ToolsProps {
  address: AnalysisAddress;
  change: ChangeAddress;
  span: Span;
  tables: ReadonlyMap<string, TableInfo>;
  /** Lines to choose the horizontal axis of a scatter chart from. */
  lines: readonly { value: string; label: string }[];
}

/** How the chosen fields are drawn. */
export function AnalysisTools({ address, change, span, tables, lines }: ToolsProps) {
  const { t } = useTranslation();
  const { view, interval, fn, compare } = address;
  const length = span.to - span.from;
  const isRaw = interval === 'raw' || interval === 'all';
  return (
    <div className={classes.tools}>
      <Select
        size="sm"
        w={148}
        allowDeselect={false}
        aria-label={t('analysis.view')}
        value={view}
        onChange={(value) => change({ view: (value ?? 'line') as View }, true)}
        data={VIEWS.map((value) => ({ value, label: t(`analysis.views.${value}`) }))}
      />
      <Select
        size="sm"
        w={122}
        allowDeselect={false}
        aria-label={t('analysis.interval')}
        value={interval === 'all' ? 'raw' : interval}
        onChange={(value) => change({ interval: value ?? 'auto' }, true)}
        data={[
          { value: 'auto', label: t('analysis.intervals.auto') },
          { value: 'raw', label: t('analysis.intervals.raw') },
          ...INTERVALS.map(([value, ms]) => ({
            value,
            label: t(`analysis.intervals.${value}`),
            disabled: length / ms > MOST_POINTS,
          })),
        ]}
      />
      {isRaw ? null : (
        <Select
          size="sm"
          w={132}
          allowDeselect={false}
          aria-label={t('analysis.function')}
          value={fn}
          onChange={(value) => change({ fn: (value ?? 'average') as SeriesFunction }, true)}
          data={SERIES_FUNCTIONS.map((value) => ({ value, label: t(`analysis.functions.${value}`) }))}
        />
      )}
      {view === 'scatter' ? (
        <Select
          size="sm"
          w={200}
          allowDeselect={false}
          aria-label={t('analysis.x')}
          value={address.x ?? lines[0]?.value ?? null}
          onChange={(value) => change({ x: value }, true)}
          data={[...lines]}
        />
      ) : null}
      {view === 'line' || view === 'column' ? (
        <Select
          size="sm"
          w={196}
          clearable
          placeholder={t('analysis.compare')}
          aria-label={t('analysis.compare')}
          value={compare}
          onChange={(value) => change({ compare: value as Comparison | null }, true)}
          data={COMPARISONS.map((value) => ({ value, label: t(`analysis.compared.${value}`) }))}
        />
      ) : null}
      <Options address={address} change={change} tables={tables} />
    </div>
  );
}

function Options({ address, change, tables }: Pick<ToolsProps, 'address' | 'change' | 'tables'>) {
  const { t } = useTranslation();
  const { layout, isNormalised, hasClearSky, hasMarks, min, max, dateField } = address;
  const dates = [...tables.values()].flatMap(({ fields }) =>
    fields.filter(({ type }) => type === 'date').map(({ name }) => name),
  );
  const changed = [
    isNormalised,
    hasClearSky,
    !hasMarks,
    min !== null,
    max !== null,
    dateField !== EVENT_TIME,
  ];
  const count = changed.filter(Boolean).length;
  const asNumber = (value: number | string) => (typeof value === 'number' ? value : null);
  return (
    <Popover position="bottom-start" width={320} trapFocus shadow="none" withRoles>
      <Popover.Target>
        <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={16} />}>
          {count > 0 ? t('analysis.optionsSet', { count }) : t('analysis.options')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={12}>
          <SegmentedControl
            size="xs"
            value={layout}
            onChange={(value) => change({ layout: value as Layout })}
            data={LAYOUTS.map((value) => ({
              value,
              label: t(`telemetry.data.${{ unit: 'byUnit', one: 'oneChart', each: 'each' }[value]}`),
            }))}
            aria-label={t('telemetry.data.layout')}
          />
          <Switch
            label={t('analysis.normalise')}
            description={t('analysis.normaliseText')}
            checked={isNormalised}
            onChange={(event) => change({ isNormalised: event.currentTarget.checked })}
          />
          <Switch
            label={t('analysis.clearSky')}
            description={t('analysis.clearSkyText')}
            checked={hasClearSky}
            onChange={(event) => change({ hasClearSky: event.currentTarget.checked })}
          />
          <Switch
            label={t('analysis.marks')}
            description={t('analysis.marksText')}
            checked={hasMarks}
            onChange={(event) => change({ hasMarks: event.currentTarget.checked })}
          />
          <Group grow gap={8}>
            <NumberInput
              size="xs"
              label={t('analysis.clipMin')}
              value={min ?? ''}
              hideControls
              onChange={(value) => change({ min: asNumber(value) })}
            />
            <NumberInput
              size="xs"
              label={t('analysis.clipMax')}
              value={max ?? ''}
              hideControls
              onChange={(value) => change({ max: asNumber(value) })}
            />
          </Group>
          <Select
            size="xs"
            label={t('analysis.dateField')}
            description={t('analysis.dateFieldText')}
            allowDeselect={false}
            value={dateField}
            onChange={(value) => change({ dateField: value ?? EVENT_TIME })}
            data={[...new Set([EVENT_TIME, ...dates, dateField])]}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
