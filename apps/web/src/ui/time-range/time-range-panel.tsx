import '@mantine/dates/styles.layer.css';
import { Button, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { calendarManners } from './calendar-manners.ts';
import { Preset, PresetList } from './preset-list.tsx';
import {
  calendarFields,
  fromCalendarFields,
  type PresetName,
  presetLabel,
  RELATIVE_UNITS,
  type RelativeUnit,
  resolveRange,
  SHORT_PRESETS,
  type TimeRange,
  type TimeRangeChoice,
} from './time-range.ts';
import classes from './time-range-picker.module.css';
import { resolveZone } from './time-zone.ts';
import { ZoneChoice } from './zone-choice.tsx';

export interface TimeRangePanelProps {
  value: TimeRangeChoice;
  deviceZone: string | null;
  collectedNote: string | undefined;
  presets: readonly PresetName[];
  hasAllTime: boolean;
  onChange: (value: TimeRangeChoice, isDone: boolean) => void;
}

/** Presets at the left; absolute and relative ranges, time zone and auto-refresh at the right. */
export function TimeRangePanel(props: TimeRangePanelProps) {
  const { value, deviceZone, collectedNote, presets, hasAllTime, onChange } = props;
  const { t } = useTranslation();
  const zone = resolveZone(value.zone, deviceZone);
  const choose = (range: TimeRange, isRefreshing = false) =>
    onChange({ ...value, range, isRefreshing }, true);
  const refreshed = value.isRefreshing && value.range.kind === 'preset' ? value.range.preset : 'none';
  return (
    <div className={classes.panel}>
      <PresetList>
        {hasAllTime ? (
          <Preset isChosen={value.range.kind === 'all'} onChoose={() => choose({ kind: 'all' })}>
            {t('time.allTime')}
          </Preset>
        ) : null}
        {offered(presets, value.range).map((preset) => (
          <Preset
            key={preset}
            isChosen={value.range.kind === 'preset' && value.range.preset === preset}
            onChoose={() => choose({ kind: 'preset', preset })}
          >
            {presetLabel(preset)}
          </Preset>
        ))}
      </PresetList>
      <AbsoluteRange key={zone} range={value.range} zone={zone} onChoose={choose} />
      <div className={classes.more}>
        <RelativeRange
          range={value.range}
          onChoose={(range) => onChange({ ...value, range, isRefreshing: false }, false)}
        />
        <ZoneChoice
          setting={value.zone}
          deviceZone={deviceZone}
          collectedNote={collectedNote}
          onChange={(next) => onChange({ ...value, zone: next }, false)}
        />
        <Select
          label={t('time.autoRefresh')}
          size="sm"
          value={refreshed}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={[
            { value: 'none', label: t('time.none') },
            ...SHORT_PRESETS.map((preset) => ({ value: preset as string, label: presetLabel(preset) })),
          ]}
          onChange={(next) => {
            if (next === null || next === 'none') onChange({ ...value, isRefreshing: false }, true);
            else choose({ kind: 'preset', preset: next as PresetName }, true);
          }}
        />
      </div>
    </div>
  );
}

/** What holds is among them in any case. */
const offered = (presets: readonly PresetName[], range: TimeRange): readonly PresetName[] =>
  range.kind === 'preset' && !presets.includes(range.preset) ? [range.preset, ...presets] : presets;

interface RangeFormProps {
  range: TimeRange;
  onChoose: (range: TimeRange) => void;
}

/** Right after a preset it shows that preset's start and end. */
function AbsoluteRange({ range, zone, onChoose }: RangeFormProps & { zone: string }) {
  const { t } = useTranslation();
  const [fields, setFields] = useState(() => {
    // Of all time, the calendar begins where people mostly look.
    const shown: TimeRange = range.kind === 'all' ? { kind: 'preset', preset: 'last-7-days' } : range;
    const span = resolveRange(shown, Date.now(), zone);
    return { from: calendarFields(span.from, zone), to: calendarFields(span.to, zone) };
  });
  const from = fromCalendarFields(fields.from.date, fields.from.time, zone);
  const to = fromCalendarFields(fields.to.date, fields.to.time, zone);
  const fault = from === null || to === null ? t('time.badClock') : from >= to ? t('time.badOrder') : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (from !== null && to !== null && from < to) onChoose({ kind: 'absolute', from, to });
      }}
      className={classes.form}
      data-holds={range.kind === 'absolute'}
    >
      <DatePicker
        {...calendarManners()}
        weekendDays={[]}
        hideOutsideDates
        ariaLabels={{
          previousMonth: t('time.monthBefore'),
          nextMonth: t('time.monthAfter'),
        }}
        type="range"
        size="xs"
        allowSingleDateInRange
        value={[fields.from.date, fields.to.date]}
        onChange={([first, last]) =>
          setFields({
            from: { date: first ?? '', time: '00:00' },
            to: { date: last ?? first ?? '', time: '23:59' },
          })
        }
        styles={{
          calendarHeader: { maxWidth: 'none' },
          levelsGroup: { display: 'block' },
          month: { width: '100%' },
          day: { width: '100%' },
        }}
      />
      <div className={classes.fields}>
        {(['from', 'to'] as const).map((side) => (
          <Fragment key={side}>
            <TextInput
              size="sm"
              label={t(`time.${side}`)}
              value={fields[side].date}
              onChange={(event) =>
                setFields({ ...fields, [side]: { ...fields[side], date: event.currentTarget.value } })
              }
              placeholder="2026-11-21"
            />
            <TextInput
              size="sm"
              label={t('time.clock')}
              value={fields[side].time}
              onChange={(event) =>
                setFields({ ...fields, [side]: { ...fields[side], time: event.currentTarget.value } })
              }
              placeholder="00:00"
              aria-label={t(side === 'from' ? 'time.clockFrom' : 'time.clockTo')}
            />
          </Fragment>
        ))}
      </div>
      {fault ? (
        <Text size="xs" c="var(--al-danger)" role="alert">
          {fault}
        </Text>
      ) : null}
      <Button type="submit" size="sm" disabled={fault !== null}>
        {t('time.apply')}
      </Button>
    </form>
  );
}

/** Holds at once: one sees what it shows, and goes on choosing. */
function RelativeRange({ range, onChoose }: RangeFormProps) {
  const { t } = useTranslation();
  const [amount, setAmount] = useState<number>(range.kind === 'relative' ? range.amount : 90);
  const [unit, setUnit] = useState<RelativeUnit>(range.kind === 'relative' ? range.unit : 'm');
  const choose = (nextAmount: number, nextUnit: RelativeUnit) => {
    setAmount(nextAmount);
    setUnit(nextUnit);
    onChoose({ kind: 'relative', amount: nextAmount, unit: nextUnit });
  };
  return (
    <fieldset className={classes.relative} data-holds={range.kind === 'relative'}>
      <NumberInput
        size="sm"
        label={t('time.theLast')}
        min={1}
        max={9999}
        allowDecimal={false}
        value={amount}
        onChange={(next) => choose(Math.max(1, Math.min(9999, Number(next) || 1)), unit)}
      />
      <Select
        size="sm"
        aria-label={t('time.unit')}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        value={unit}
        onChange={(next) => choose(amount, (next ?? 'm') as RelativeUnit)}
        data={Object.keys(RELATIVE_UNITS).map((value) => ({
          value,
          label: t(`time.units.${value}`, { count: amount }),
        }))}
      />
    </fieldset>
  );
}
