import { ActionIcon, Button, Drawer, FocusTrap, Group, Popover, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconClock, IconRefresh } from '@tabler/icons-react';
import { useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
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
  const { isOpen, setOpen, Panel } = useTimeRangePanel();
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
  const panel = Panel ? (
    <Panel
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
  ) : null;
  const button = (
    <Button
      ref={opener}
      variant="default"
      size="sm"
      leftSection={<IconClock size={16} aria-hidden />}
      // What fails here fails again, and is said, when it is opened.
      onPointerEnter={() => void loadTimeRangePanel().catch(() => undefined)}
      onClick={() => setOpen(!isOpen)}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
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
      <Tooltip label={t('time.earlier')}>
        <ActionIcon
          variant="default"
          size={36}
          disabled={value.range.kind === 'all'}
          onClick={() => move(-1)}
          aria-label={t('time.earlier')}
        >
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
            styles={{ body: { padding: 0 } }}
          >
            {panel}
          </Drawer>
        </>
      ) : room ? (
        <>
          {button}
          {isOpen
            ? createPortal(
                <FocusTrap active>
                  <div
                    role="dialog"
                    aria-label={t('time.range')}
                    onKeyDown={(event) => {
                      if (event.key !== 'Escape' || event.defaultPrevented) return;
                      event.stopPropagation();
                      close();
                    }}
                  >
                    {panel}
                  </div>
                </FocusTrap>,
                room,
              )
            : null}
        </>
      ) : (
        <Popover
          opened={isOpen}
          onChange={setOpen}
          position="bottom-end"
          width={640}
          trapFocus
          shadow="none"
          withRoles
        >
          <Popover.Target>{button}</Popover.Target>
          <Popover.Dropdown p={0}>{panel}</Popover.Dropdown>
        </Popover>
      )}
      <Tooltip label={t('time.later')}>
        <ActionIcon
          variant="default"
          size={36}
          disabled={value.range.kind === 'all'}
          onClick={() => move(1)}
          aria-label={t('time.later')}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Tooltip>
      {onRefresh ? (
        <Tooltip label={t(value.isRefreshing ? 'time.followsClock' : 'time.askAnew')}>
          <ActionIcon
            variant="default"
            size={36}
            onClick={onRefresh}
            loading={isLoading}
            aria-label={t('time.refresh')}
          >
            <IconRefresh size={18} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </Group>
  );
}

/** The zone with its offset of today, as a tooltip. */
const zoneText = (zone: string): string => `${zone} (${offsetLabel(Date.now(), zone)})`;
