import { ActionIcon, Button, Drawer, Group, Popover, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconClock, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type PresetName,
  rangeLabel,
  resolveRange,
  STANDARD_PRESETS,
  type TimeRangeChoice,
} from './time-range.ts';
import { TimeRangePanel } from './time-range-panel.tsx';
import classes from './time-range-picker.module.css';
import { AS_COLLECTED, browserZone, resolveZone } from './time-zone.ts';
import { offsetLabel } from './zoned-time.ts';

export interface TimeRangePickerProps {
  value: TimeRangeChoice;
  onChange: (value: TimeRangeChoice) => void;
  /** Zone of the device, for 'As collected'; null where it told none. */
  deviceZone?: string | null;
  presets?: readonly PresetName[];
  /** Asks for the data anew. */
  onRefresh?: () => void;
  isLoading?: boolean;
}

/** Button that tells the time range and opens its choice; arrows beside it move by a whole range. */
export function TimeRangePicker(props: TimeRangePickerProps) {
  const {
    value,
    onChange,
    deviceZone = null,
    presets = STANDARD_PRESETS,
    onRefresh,
    isLoading = false,
  } = props;
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 700px)') ?? false;
  const zone = resolveZone(value.zone, deviceZone);

  const move = (direction: 1 | -1) => {
    const { from, to } = resolveRange(value.range, Date.now(), zone);
    const shift = direction * (to - from);
    onChange({
      ...value,
      range: { kind: 'absolute', from: from + shift, to: to + shift },
      isRefreshing: false,
    });
  };
  const panel = (
    <TimeRangePanel
      value={value}
      deviceZone={deviceZone}
      presets={presets}
      onChange={(next, isDone) => {
        onChange(next);
        if (isDone) setOpen(false);
      }}
    />
  );
  const button = (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconClock size={16} aria-hidden />}
      onClick={() => setOpen(!isOpen)}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      title={`${zoneText(value.zone, zone)}`}
      styles={{ root: { minWidth: 0 } }}
    >
      <span className={classes.label}>{rangeLabel(value.range, zone)}</span>
      {zone === browserZone() ? null : <span className={classes.zone}>{offsetLabel(Date.now(), zone)}</span>}
      {value.isRefreshing ? <span className={classes.zone}>live</span> : null}
    </Button>
  );

  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Tooltip label="Earlier">
        <ActionIcon variant="default" size={36} onClick={() => move(-1)} aria-label="Earlier">
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
            title="Time range"
            styles={{ body: { padding: 0 } }}
          >
            {panel}
          </Drawer>
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
      <Tooltip label="Later">
        <ActionIcon variant="default" size={36} onClick={() => move(1)} aria-label="Later">
          <IconChevronRight size={18} />
        </ActionIcon>
      </Tooltip>
      {onRefresh ? (
        <Tooltip label={value.isRefreshing ? 'Follows the clock; ask anew now' : 'Ask anew'}>
          <ActionIcon
            variant="default"
            size={36}
            onClick={onRefresh}
            loading={isLoading}
            aria-label="Refresh"
          >
            <IconRefresh size={18} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </Group>
  );
}

/** The zone with its offset of today, as a tooltip. */
function zoneText(setting: string, zone: string): string {
  const mode = setting === AS_COLLECTED ? 'As collected: ' : '';
  return `${mode}${zone} (${offsetLabel(Date.now(), zone)})`;
}
