import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import { Button, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { latestQuery } from '../devices/devices.queries.ts';
import classes from './live-feed.module.css';
import { LiveFeedView } from './live-feed-view.tsx';
import { groupSources, isPlumbing, ownSources, unitsOf } from './source-groups.ts';
import { useTables } from './telemetry.queries.ts';
import { useLiveAddress } from './use-live-address.ts';

/** Fields drawn until somebody chooses others. */
const FIRST_FIELDS = 3;

/** One source of the device as it captures it, before anything is stored. */
export function LiveFeed({ device }: { device: Device }) {
  const wg = useWorkgroup();
  const { data, isPending, isError, error, refetch } = useQuery(latestQuery(wg, device.id));
  const [address, setAddress] = useLiveAddress();
  const sources = useMemo(() => ownSources(data), [data]);
  const chosen =
    sources.find((one) => one.table === address.table && one.source === address.source) ?? busiest(sources);
  const tables = useTables(wg, chosen ? [chosen.table] : []);
  const numeric = useMemo(() => numericFields(chosen), [chosen]);
  const key = numeric.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names count, not the list they stand in.
  const fields = useMemo(() => {
    const wanted = address.fields.filter((field) => numeric.includes(field));
    if (wanted.length > 0 || !chosen) return wanted;
    const first = numeric[0];
    const units = first === undefined ? null : unitsOf(tables, chosen.table, first);
    return numeric.filter((field) => unitsOf(tables, chosen.table, field) === units).slice(0, FIRST_FIELDS);
  }, [key, address.fields.join('\n'), tables, chosen?.table]);

  if (isPending) return <TableSkeleton rows={8} />;
  if (isError) {
    return (
      <ErrorState title="The sources could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  if (!device.facts.online) {
    return (
      <Section title="Live feed">
        <EmptyState
          title={`${device.name} is offline`}
          text="A live feed comes straight from the device, so it starts by itself as soon as the device is back. What was stored until now is under Data."
        >
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to="/devices/$deviceId/$tab" params={{ deviceId: device.id, tab: 'data' }} />
            )}
          >
            Open stored data
          </Button>
        </EmptyState>
      </Section>
    );
  }
  if (!chosen) {
    return (
      <Section title="Live feed">
        <EmptyState
          title="The device has no sources yet"
          text="As soon as its agent captures something, it can be watched here."
        />
      </Section>
    );
  }
  return (
    <div className={classes.tab}>
      <div className={classes.tools}>
        <Select
          label="Source"
          searchable
          allowDeselect={false}
          data={groupSources(sources).map((group) => ({
            group: group.table,
            items: group.sources.map((one) => ({ value: streamOf(one), label: one.source })),
          }))}
          value={streamOf(chosen)}
          onChange={(value) => {
            const next = sources.find((one) => streamOf(one) === value);
            if (next) setAddress({ table: next.table, source: next.source, fields: [] });
          }}
          className={classes.source}
        />
        <MultiSelect
          label="Fields"
          searchable
          hidePickedOptions
          maxValues={8}
          data={numeric}
          value={fields}
          onChange={(next) => setAddress({ table: chosen.table, source: chosen.source, fields: next })}
          placeholder={fields.length === 0 ? 'Choose what to draw' : ''}
          className={classes.fields}
        />
        <div className={classes.window}>
          <span className={classes.windowLabel}>Window</span>
          <SegmentedControl
            value={String(address.windowS)}
            onChange={(next) => setAddress({ windowS: Number(next) })}
            data={[
              { value: '60', label: '1 min' },
              { value: '300', label: '5 min' },
              { value: '900', label: '15 min' },
              { value: '3600', label: '1 h' },
            ]}
            aria-label="Length of the window"
          />
        </div>
        <Button
          variant="default"
          className={classes.pause}
          leftSection={address.isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          onClick={() => setAddress({ isPaused: !address.isPaused })}
        >
          {address.isPaused ? 'Resume' : 'Pause'}
        </Button>
      </div>
      <LiveFeedView
        key={`${device.id}\n${streamOf(chosen)}`}
        deviceId={device.id}
        source={chosen}
        info={tables.get(chosen.table)}
        fields={fields}
        windowMs={address.windowS * 1000}
        isPaused={address.isPaused}
      />
    </div>
  );
}

const streamOf = ({ table, source }: LatestSource): string => JSON.stringify([table, source]);

/** The source that spoke last is the one most likely to move. */
function busiest(sources: readonly LatestSource[]): LatestSource | undefined {
  return sources.toSorted(
    (a, b) => Number(isPlumbing(a)) - Number(isPlumbing(b)) || b.eventAt - a.eventAt,
  )[0];
}

function numericFields(source: LatestSource | undefined): string[] {
  if (!source) return [];
  return Object.entries(source.values).flatMap(([field, value]) =>
    typeof value === 'string' ? [] : [field],
  );
}
