import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Drawer, SegmentedControl, Skeleton } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useWorkgroup } from '../../app/session.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import type { TimeRangeChoice } from '../../ui/time-range/time-range.ts';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { latestQuery } from '../devices/devices.queries.ts';
import { DataCharts } from './data-charts.tsx';
import classes from './data-explorer.module.css';
import { FieldPicker } from './field-picker.tsx';
import { FieldSuggestions } from './field-suggestions.tsx';
import { ownSources, unitsOf } from './source-groups.ts';
import { useTables } from './telemetry.queries.ts';
import { type Layout, MOST_LINES, useDataAddress } from './use-data-address.ts';

/** Any fields of any source of the device over any range. */
export function DataExplorer({ device }: { device: Device }) {
  const wg = useWorkgroup();
  const [address, change] = useDataAddress();
  const { data, isPending, isError, error, refetch } = useQuery(latestQuery(wg, device.id));
  const [isPicking, setPicking] = useState(false);
  const sources = useMemo(() => ownSources(data), [data]);
  const tables = useTables(
    wg,
    useMemo(
      () => [...new Set([...sources, ...address.lines].map((one) => one.table))],
      [sources, address.lines],
    ),
  );

  if (isPending) return <ExplorerSkeleton />;
  if (isError) {
    return (
      <ErrorState title="The sources could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  if (sources.length === 0) {
    return (
      <EmptyState
        title="No data yet"
        text={
          device.facts.version === null
            ? 'The agent has not connected yet. Install it on the machine; what it captures can then be charted here.'
            : 'Nothing that the agent captures has arrived yet.'
        }
      />
    );
  }
  const picker = (
    <FieldPicker
      sources={sources}
      unitsOf={(table, field) => unitsOf(tables, table, field)}
      lines={address.lines}
      most={MOST_LINES}
      onChange={(lines) => change({ lines })}
    />
  );
  return (
    <div className={classes.explorer}>
      <aside className={classes.side} aria-label="Fields">
        {picker}
      </aside>
      <div className={classes.main}>
        <div className={classes.tools}>
          <Button
            variant="default"
            className={classes.pick}
            leftSection={<IconListCheck size={16} />}
            onClick={() => setPicking(true)}
          >
            Fields ({address.lines.length})
          </Button>
          <SegmentedControl
            size="xs"
            value={address.layout}
            onChange={(layout) => change({ layout: layout as Layout })}
            data={[
              { value: 'unit', label: 'By unit' },
              { value: 'one', label: 'One chart' },
              { value: 'each', label: 'Each' },
            ]}
            aria-label="Layout of the charts"
          />
          <RangeTools device={device} time={address.time} onChange={(time) => change({ time }, true)} />
        </div>
        {address.lines.length === 0 ? (
          <FieldSuggestions sources={sources} onChoose={(lines) => change({ lines }, true)} />
        ) : (
          <DataCharts
            device={device}
            lines={address.lines}
            layout={address.layout}
            time={address.time}
            tables={tables}
            onTime={(time) => change({ time }, true)}
          />
        )}
      </div>
      <Drawer opened={isPicking} onClose={() => setPicking(false)} title="Fields" size="min(92vw, 400px)">
        {picker}
      </Drawer>
    </div>
  );
}

interface RangeToolsProps {
  device: Device;
  time: TimeRangeChoice;
  onChange: (time: TimeRangeChoice) => void;
}

function RangeTools({ device, time, onChange }: RangeToolsProps) {
  const client = useQueryClient();
  return (
    <div className={classes.range}>
      <TimeRangePicker
        value={time}
        onChange={onChange}
        deviceZone={device.meta.timezone ?? null}
        onRefresh={() => void client.invalidateQueries({ queryKey: ['series'] })}
      />
    </div>
  );
}

function ExplorerSkeleton() {
  return (
    <div className={classes.explorer}>
      <aside className={classes.side}>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
          <Skeleton key={key} height={14} mb={14} />
        ))}
      </aside>
      <div className={classes.main}>
        <Skeleton height={36} />
        <Skeleton height={460} />
      </div>
    </div>
  );
}
