import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatAge } from '../../ui/units/durations.ts';
import { latestQuery } from '../devices/devices.queries.ts';
import { lineToText } from './chart-lines.ts';
import { groupSources, ownSources, searchSources } from './source-groups.ts';
import classes from './sources-card.module.css';
import { useLatestLive, useTables } from './telemetry.queries.ts';
import { valueText } from './value-text.ts';

/** With more sources than this they start folded. */
const FEW_SOURCES = 4;

/** Every source of the device with its newest values, as they arrive. */
export function SourcesCard({ device }: { device: Device }) {
  const wg = useWorkgroup();
  const { data, isPending, isError, error, refetch } = useQuery(latestQuery(wg, device.id));
  useLatestLive(wg, device.id);
  const [search, setSearch] = useState('');
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(search);
  const sources = useMemo(() => ownSources(data), [data]);
  const groups = useMemo(() => groupSources(searchSources(sources, wanted)), [sources, wanted]);
  const tables = useTables(
    wg,
    useMemo(() => [...new Set(sources.map((one) => one.table))], [sources]),
  );
  const zone = resolveZone('');
  const isOpenAtFirst = wanted !== '' || sources.length <= FEW_SOURCES;
  const all = groups.flatMap((group) => group.sources.map(keyOf));
  const isOpen = (key: string) => isOpenAtFirst !== turned.has(key);
  const areAllOpen = all.every(isOpen);
  const turnAll = () => setTurned(new Set(all.filter(() => areAllOpen === isOpenAtFirst)));
  const turn = (key: string) => {
    const next = new Set(turned);
    if (!next.delete(key)) next.add(key);
    setTurned(next);
  };

  if (isPending) return <SourcesSkeleton />;
  if (isError) {
    return (
      <Section title="Sources">
        <ErrorState
          title="The newest values could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      </Section>
    );
  }
  if (sources.length === 0) {
    return (
      <Section title="Sources">
        <EmptyState title="No values yet" text={emptyReason(device)} />
      </Section>
    );
  }
  return (
    <Section
      title="Sources"
      context={`${sources.length} in ${tables.size === 1 ? '1 table' : `${new Set(sources.map((s) => s.table)).size} tables`}`}
      actions={
        <>
          <TextInput
            size="xs"
            placeholder="Search sources and fields"
            aria-label="Search sources and fields"
            leftSection={<IconSearch size={14} />}
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              setTurned(new Set());
            }}
          />
          <Button size="xs" variant="default" onClick={turnAll}>
            {areAllOpen ? 'Fold all' : 'Unfold all'}
          </Button>
        </>
      }
      isFlush
    >
      {groups.length === 0 ? (
        <EmptyState
          title={`Nothing is called ${wanted}`}
          text="The search looks at tables, sources and fields."
        >
          <Button variant="default" onClick={() => setSearch('')}>
            Show all sources
          </Button>
        </EmptyState>
      ) : null}
      {groups.map((group) => (
        <div key={group.table}>
          <h3 className={classes.table}>
            {group.table} <span>{group.sources.length}</span>
          </h3>
          {group.sources.map((source) => (
            <Source
              key={source.source}
              deviceId={device.id}
              source={source}
              info={tables.get(group.table)}
              isOpen={isOpen(keyOf(source))}
              onTurn={turn}
              zone={zone}
            />
          ))}
        </div>
      ))}
    </Section>
  );
}

const keyOf = ({ table, source }: LatestSource): string => `${table}\n${source}`;

function emptyReason(device: Device): string {
  if (device.facts.version === null)
    return 'The agent has not connected yet. Install it on the machine to see its values here.';
  if (!device.facts.online) return 'The device is offline and sent nothing so far.';
  return 'The agent is connected, but nothing it captures has arrived yet.';
}

interface SourceProps {
  deviceId: string;
  source: LatestSource;
  info: TableInfo | undefined;
  isOpen: boolean;
  onTurn: (key: string) => void;
  zone: string;
}

const Source = memo(function Source({ deviceId, source, info, isOpen, onTurn, zone }: SourceProps) {
  const entries = Object.entries(source.values);
  const key = keyOf(source);
  const textOf = (field: string, value: number | string | null) => {
    const known = info?.fields.find((one) => one.name === field);
    return valueText(value, known?.type, known?.units ?? null, zone);
  };
  const preview = entries
    .filter(([, value]) => typeof value === 'number')
    .slice(0, 3)
    .map(([field, value]) => `${field} ${textOf(field, value)}`)
    .join(' · ');
  return (
    <div className={classes.source}>
      <button type="button" className={classes.head} aria-expanded={isOpen} onClick={() => onTurn(key)}>
        <IconChevronRight size={16} aria-hidden className={classes.arrow} data-open={isOpen} />
        <span className={classes.name}>{source.source || '(no source)'}</span>
        <span className={classes.preview}>{isOpen ? null : preview}</span>
        <Age at={source.eventAt} zone={zone} />
      </button>
      {isOpen ? (
        <ul className={classes.fields}>
          {entries.map(([field, value]) => (
            <li key={field}>
              {typeof value === 'number' ? (
                <Link
                  to="/devices/$deviceId/$tab"
                  params={{ deviceId, tab: 'data' }}
                  search={
                    { line: [lineToText({ table: source.table, source: source.source, field })] } as never
                  }
                  className={classes.field}
                  title={`Chart ${field}`}
                >
                  {field}
                </Link>
              ) : (
                <span className={classes.field}>{field}</span>
              )}
              <span className={classes.value}>{textOf(field, value)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
});

function Age({ at, zone }: { at: number; zone: string }) {
  const now = useNow(1000);
  return (
    <time className={classes.age} dateTime={new Date(at).toISOString()} title={formatInstant(at, zone)}>
      {formatAge(at, now)}
    </time>
  );
}

function SourcesSkeleton() {
  return (
    <Section title="Sources" isFlush>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <div key={key} className={classes.head}>
          <Skeleton height={12} width={16} />
          <Skeleton height={12} width={120} />
          <Skeleton height={12} width="40%" />
          <Skeleton height={12} width={40} ml="auto" />
        </div>
      ))}
    </Section>
  );
}
