import '@mantine/dates/styles.layer.css';
import { ActionIcon, Button, Drawer, Group, Popover, Tooltip } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { calendarManners } from '../../ui/time-range/calendar-manners.ts';
import { Preset, PresetList } from '../../ui/time-range/preset-list.tsx';
import { presetLabel } from '../../ui/time-range/time-range.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { DAY_PRESETS, type DayRange, type Days, dayRangeLabel, daysText, movedDays } from './day-range.ts';
import classes from './energy.module.css';

interface DayRangePickerProps {
  range: DayRange;
  /** The days that the range means now. */
  days: Days;
  onChange: (range: DayRange) => void;
}

/** Which days: a preset, days of a calendar, or those before and after. */
export function DayRangePicker({ range, days, onChange }: DayRangePickerProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const choose = (next: DayRange) => {
    onChange(next);
    setOpen(false);
  };
  const move = (direction: -1 | 1) => onChange({ kind: 'days', ...movedDays(days, direction) });
  const button = (
    <Button
      variant="default"
      leftSection={<IconCalendar size={16} aria-hidden />}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      title={daysText(days)}
      onClick={() => setOpen(!isOpen)}
    >
      {dayRangeLabel(range, days)}
    </Button>
  );
  const panel = <DayRangePanel range={range} days={days} onChoose={choose} />;
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label={t('time.earlier')}>
        <ActionIcon variant="default" size={36} aria-label={t('time.earlier')} onClick={() => move(-1)}>
          <IconChevronLeft size={18} />
        </ActionIcon>
      </Tooltip>
      {isNarrow ? (
        <>
          {button}
          <Drawer
            opened={isOpen}
            onClose={() => setOpen(false)}
            position="bottom"
            size="85%"
            title={t('time.range')}
            closeButtonProps={{ 'aria-label': t('actions.close') }}
          >
            {panel}
          </Drawer>
        </>
      ) : (
        <Popover
          opened={isOpen}
          onChange={setOpen}
          position="bottom-start"
          trapFocus
          returnFocus
          shadow="none"
          withRoles
        >
          <Popover.Target>{button}</Popover.Target>
          <Popover.Dropdown p={0} aria-label={t('time.range')}>
            {panel}
          </Popover.Dropdown>
        </Popover>
      )}
      <Tooltip label={t('time.later')}>
        <ActionIcon variant="default" size={36} aria-label={t('time.later')} onClick={() => move(1)}>
          <IconChevronRight size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

function DayRangePanel({
  range,
  days,
  onChoose,
}: {
  range: DayRange;
  days: Days;
  onChoose: (range: DayRange) => void;
}) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<[string | null, string | null]>([days.from, days.to]);
  return (
    <div className={classes.rangePanel}>
      <PresetList>
        {DAY_PRESETS.map((preset) => (
          <Preset
            key={preset}
            isChosen={range.kind === 'preset' && range.preset === preset}
            onChoose={() => onChoose({ kind: 'preset', preset })}
          >
            {presetLabel(preset)}
          </Preset>
        ))}
      </PresetList>
      <DatePicker
        {...calendarManners()}
        weekendDays={[]}
        hideOutsideDates
        type="range"
        allowSingleDateInRange
        size="sm"
        p="sm"
        defaultDate={days.to}
        ariaLabels={{ previousMonth: t('time.monthBefore'), nextMonth: t('time.monthAfter') }}
        value={chosen}
        onChange={([from, to]) => {
          setChosen([from, to]);
          if (from && to) onChoose({ kind: 'days', from, to });
        }}
      />
    </div>
  );
}
