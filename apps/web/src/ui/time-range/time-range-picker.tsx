import { ActionIcon, Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconClock, IconRefresh } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../hint.tsx';
import {
  type PresetName,
  rangeLabel,
  resolveRange,
  STANDARD_PRESETS,
  type TimeRangeChoice,
} from './time-range.ts';
import classes from './time-range-picker.module.css';
import { useTimeRangeRoom } from './time-range-room.tsx';
import { AS_COLLECTED, browserZone, resolveZone } from './time-zone.ts';
import { loadTimeRangePanel, useTimeRangePanel } from './use-time-range-panel.ts';
import { offsetLabel } from './zoned-time.ts';

export interface TimeRangePickerProps {
  value: TimeRangeChoice;
  onChange: (value: TimeRangeChoice) => void;
  /** Zone of the device, for 'As collected'; null where it reported none. */
  deviceZone?: string | null;
  /** What 'As collected' comes to, where it is more than the zone of one device. */
  collectedNote?: string | undefined;
  presets?: readonly PresetName[];
  /** Everything can be asked for, whenever it was. */
  hasAllTime?: boolean;
  /** Asks for the data again. */
  onRefresh?: () => void;
  isLoading?: boolean;
}

/** Button that tells the time range and opens its choice; arrows beside it move by a whole range. */
export function TimeRangePicker(props: TimeRangePickerProps) {
  const {
    value,
    onChange,
    deviceZone = null,
    collectedNote,
    presets = STANDARD_PRESETS,
    hasAllTime = false,
    onRefresh,
    isLoading = false,
  } = props;
  const { t } = useTranslation();
  const { isOpen, setOpen, parts } = useTimeRangePanel();
  const id = useId();
  const isNarrow = useMediaQuery('(max-width: 700px)') ?? false;
  const zone = resolveZone(value.zone, deviceZone);
  const room = useTimeRangeRoom();
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus({ preventScroll: true });
  };

  const move = (direction: 1 | -1) => {
    const { from, to } = resolveRange(value.range, Date.now(), zone);
    const shift = direction * (to - from);
    onChange({
      ...value,
      range: { kind: 'absolute', from: from + shift, to: to + shift },
      isRefreshing: false,
    });
  };
  const button = (
    <Button
      ref={opener}
      id={`${id}-target`}
      variant="default"
      size="sm"
      leftSection={<IconClock size={16} aria-hidden />}
      // What fails here fails again, and is said, when it is opened.
      onPointerEnter={() => void loadTimeRangePanel().catch(() => undefined)}
      onClick={() => setOpen(!isOpen)}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      {...(isOpen && !isNarrow && !room ? { 'aria-controls': `${id}-dropdown` } : {})}
      title={value.zone === AS_COLLECTED ? `${t('time.asCollected')}: ${zoneText(zone)}` : zoneText(zone)}
      styles={{ root: { minWidth: 0 } }}
    >
      <span className={classes.label}>{rangeLabel(value.range, zone)}</span>
      {zone === browserZone() ? null : <span className={classes.zone}>{offsetLabel(Date.now(), zone)}</span>}
      {value.isRefreshing ? <span className={classes.zone}>{t('time.live')}</span> : null}
    </Button>
  );

  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Hint label={t('time.earlier')}>
        <ActionIcon
          variant="default"
          size={36}
          disabled={value.range.kind === 'all'}
          onClick={() => move(-1)}
          aria-label={t('time.earlier')}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
      </Hint>
      {button}
      {parts ? (
        <parts.Frame
          opener={opener.current}
          id={id}
          isOpen={isOpen}
          isNarrow={isNarrow}
          room={room}
          onOpen={setOpen}
          onLeave={close}
        >
          <parts.Panel
            value={value}
            deviceZone={deviceZone}
            collectedNote={collectedNote}
            presets={presets}
            hasAllTime={hasAllTime}
            onChange={(next, isDone) => {
              onChange(next);
              if (isDone) close();
            }}
          />
        </parts.Frame>
      ) : null}
      <Hint label={t('time.later')}>
        <ActionIcon
          variant="default"
          size={36}
          disabled={value.range.kind === 'all'}
          onClick={() => move(1)}
          aria-label={t('time.later')}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Hint>
      {onRefresh ? (
        <Hint label={t(value.isRefreshing ? 'time.followsClock' : 'time.askAnew')}>
          <ActionIcon
            variant="default"
            size={36}
            onClick={onRefresh}
            loading={isLoading}
            aria-label={t('time.refresh')}
          >
            <IconRefresh size={18} />
          </ActionIcon>
        </Hint>
      ) : null}
    </Group>
  );
}

/** The zone with its offset of today, as a tooltip. */
const zoneText = (zone: string): string => `${zone} (${offsetLabel(Date.now(), zone)})`;
