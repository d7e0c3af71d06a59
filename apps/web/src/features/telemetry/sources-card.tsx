import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { lineToText } from '../../app/series/chart-lines.ts';
import { fieldName } from '../../app/series/field-name.ts';
import { headlines, inMeaningfulOrder } from '../../app/series/field-order.ts';
import { groupSources, isMachineReading, ownSources, searchSources } from '../../app/series/source-groups.ts';
import { useOpened } from '../../app/series/use-opened.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatAge } from '../../ui/units/durations.ts';
import { latestQuery } from '../devices/devices.queries.ts';
import { useWords, type Words } from '../lookup-tables/lookup-tables.queries.ts';
import classes from './sources-card.module.css';
import { useLatestLive, useTables } from './telemetry.queries.ts';
import { valueText } from './value-text.ts';

/** With more sources than this they start folded. */
const FEW_SOURCES = 4;
/** Values beside the name of a folded source. */
const HEADLINES = 3;

/** Every source of the device with its newest values, as they arrive. */
export function SourcesCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, isPending, isError, error, refetch } = useQuery(latestQuery(wg, device.id));
  useLatestLive(wg, device.id);
  const [search, setSearch] = useState('');
  const opened = useOpened();
  const wanted = useDeferredValue(search);
  const sources = useMemo(() => ownSources(data), [data]);
  const names = useMemo(() => [...new Set(sources.map((one) => one.table))], [sources]);
  const { byName: tables, isPending: areTablesPending } = useTables(wg, names);
  const groups = useMemo(
    () => groupSources(searchSources(sources, wanted), tables),
    [sources, wanted, tables],
  );
  const words = useWords(wg);
  const zone = resolveZone('');
  const isOpenAtFirst = wanted !== '' || sources.length <= FEW_SOURCES;
  const all = groups.flatMap((group) => group.sources.map(keyOf));
  const isOpen = (key: string) => opened.isOpen(key, isOpenAtFirst);
  const areAllOpen = all.every(isOpen);
  const turnAll = () => opened.set(all, !areAllOpen);
  const turn = (key: string) => opened.set([key], !isOpen(key));

  if (isPending || areTablesPending) return <SourcesSkeleton />;
  if (isError) {
    return (
      <Section title={t('telemetry.sources.title')}>
        <ErrorState title={t('telemetry.sources.failed')} error={error} onRetry={() => void refetch()} />
      </Section>
    );
  }
  if (sources.length === 0) {
    return (
      <Section title={t('telemetry.sources.title')}>
        <EmptyState
          title={t('telemetry.sources.empty')}
          text={t(`telemetry.sources.${emptyReason(device)}`)}
        />
      </Section>
    );
  }
  return (
    <Section
      title={t('telemetry.sources.title')}
      context={t('telemetry.sources.count', { count: names.length, sources: sources.length })}
      actions={
        <>
          <TextInput
            size="xs"
            placeholder={t('telemetry.sources.search')}
            aria-label={t('telemetry.sources.search')}
            leftSection={<IconSearch size={14} />}
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              opened.forget();
            }}
          />
          <Button size="xs" variant="default" onClick={turnAll}>
            {t(areAllOpen ? 'telemetry.sources.fold' : 'telemetry.sources.unfold')}
          </Button>
        </>
      }
      isFlush
    >
      {groups.length === 0 ? (
        <EmptyState title={t('telemetry.sources.none', { wanted })} text={t('telemetry.sources.noneText')}>
          <Button variant="default" onClick={() => setSearch('')}>
            {t('telemetry.sources.all')}
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
              words={words}
            />
          ))}
        </div>
      ))}
    </Section>
  );
}

const keyOf = ({ table, source }: LatestSource): string => `${table}\n${source}`;

function emptyReason(device: Device): 'never' | 'offline' | 'waiting' {
  if (device.facts.version === null) return 'never';
  return device.facts.online ? 'waiting' : 'offline';
}

interface SourceProps {
  deviceId: string;
  source: LatestSource;
  info: TableInfo | undefined;
  isOpen: boolean;
  onTurn: (key: string) => void;
  zone: string;
  words: Words;
}

const Source = memo(function Source({ deviceId, source, info, isOpen, onTurn, zone, words }: SourceProps) {
  const { t } = useTranslation();
  const key = keyOf(source);
  const known = useMemo(() => new Map(info?.fields.map((field) => [field.name, field])), [info]);
  const unitsOf = (field: string) => known.get(field)?.units ?? null;
  const wordOf = (field: string) => words(field, source.values[field]);
  const codeOf = (field: string) =>
    valueText(source.values[field], known.get(field)?.type, unitsOf(field), zone);
  const textOf = (field: string) => wordOf(field) ?? codeOf(field);
  const titleOf = (field: string) =>
    isMachineReading(field)
      ? t('telemetry.sources.reading', { field: fieldName(field.toLowerCase().replace(' ', '_')) })
      : fieldName(field);
  return (
    <div className={classes.source}>
      <button type="button" className={classes.head} aria-expanded={isOpen} onClick={() => onTurn(key)}>
        <IconChevronRight size={16} aria-hidden className={classes.arrow} data-open={isOpen} />
        <span className={classes.name}>{source.source || t('telemetry.sources.nameless')}</span>
        <span className={classes.preview}>
          {isOpen
            ? null
            : headlines(source.values, unitsOf, HEADLINES).map((field) => (
                <span key={field} className={classes.headline}>
                  <span>{titleOf(field)}</span> <b>{textOf(field)}</b>
                </span>
              ))}
        </span>
        <Age at={source.eventAt} zone={zone} />
      </button>
      {isOpen ? (
        <ul className={classes.fields}>
          {inMeaningfulOrder(source.values, unitsOf).map((field) => (
            <li key={field}>
              {typeof source.values[field] === 'number' ? (
                <Link
                  to="/devices/$deviceId/$tab"
                  params={{ deviceId, tab: 'data' }}
                  search={
                    { line: [lineToText({ table: source.table, source: source.source, field })] } as never
                  }
                  className={classes.field}
                  title={t('telemetry.sources.chart', { field })}
                >
                  {titleOf(field)}
                </Link>
              ) : (
                <span className={classes.field}>{titleOf(field)}</span>
              )}
              <span
                className={classes.value}
                title={wordOf(field) === null ? undefined : t('lookupTables.stored', { code: codeOf(field) })}
              >
                {textOf(field)}
              </span>
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
  const { t } = useTranslation();
  return (
    <Section title={t('telemetry.sources.title')} isFlush>
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
