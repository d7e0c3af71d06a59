import type { StorageUse } from '@albedo/contract/data-tables/data-tables.schema';
import { Anchor, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsUnbound } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { localeTag } from '../../ui/units/locale.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { calculationsQuery } from '../calculations/calculations.queries.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { storageQuery } from './data-tables.queries.ts';
import classes from './storage.module.css';
import { TableMonths } from './table-storage.tsx';
import { Tile } from './tile.tsx';

/** What the telemetry of the workgroup takes, a tab of Admin > Data. */
export function StoragePage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(storageQuery(wg));
  if (error)
    return <ErrorState title={t('dataTables.storage.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton rows={8} />;
  if (data.events === 0) return <EmptyState title={t('dataTables.none')} text={t('dataTables.noneText')} />;
  return (
    <Stack gap="md">
      <div className={classes.tiles}>
        <Tile
          title={t('dataTables.storage.now')}
          value={formatBytes(data.bytes)}
          hint={t('dataTables.sizeHint')}
        />
        <Tile title={t('dataTables.events')} value={formatWhole(data.events)} />
        <Tile
          title={t('dataTables.storage.perDay')}
          value={formatBytes(data.bytesPerDay)}
          hint={t('dataTables.perDayHint')}
        />
        <Tile
          title={t('dataTables.storage.inAYear')}
          value={formatBytes(data.bytesInAYear)}
          hint={t('dataTables.storage.inAYearHint')}
        />
      </div>
      <Months months={data.months} />
      <div className={classes.halves}>
        <Section title={t('dataTables.storage.byTable')}>
          <Shares
            parts={data.tables.map(({ table, ...use }) => ({
              key: table,
              name: (
                <Anchor component={Link} to={`/admin/data/tables/${encodeURIComponent(table)}`}>
                  {table}
                </Anchor>
              ),
              ...use,
            }))}
          />
        </Section>
        <Section title={t('dataTables.storage.byDevice')}>
          <DeviceShares devices={data.devices} />
        </Section>
      </div>
      <StorageOfTables tables={data.tables} />
    </Stack>
  );
}

/** The cloud's own tables are kept forever, and members of a device group cannot drop anything. */
function StorageOfTables({ tables }: Pick<StorageUse, 'tables'>) {
  const isUnbound = useIsUnbound();
  const own = tables.flatMap(({ table, isSystem }) => (isSystem ? [] : [table]));
  return isUnbound && own.length > 0 ? <TableMonths tables={own} /> : null;
}

/** Where not all of a list fit, one sees its end first. */
const toNewest = (list: HTMLElement | null) => {
  if (list) list.scrollLeft = list.scrollWidth;
};

/** What was measured in each month; a bar for each, the highest fills the height. */
function Months({ months }: Pick<StorageUse, 'months'>) {
  const { t } = useTranslation();
  const most = Math.max(1, ...months.map(({ bytes }) => bytes));
  const named = new Intl.DateTimeFormat(localeTag(), { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const short = new Intl.DateTimeFormat(localeTag(), { month: 'short', timeZone: 'UTC' });
  return (
    <Section title={t('dataTables.storage.byMonth')} context={t('dataTables.storage.byMonthText')}>
      <ol className={classes.months} ref={toNewest}>
        {months.slice(-36).map(({ month, bytes, events }, at) => {
          const begin = new Date(month);
          const name = named.format(begin);
          const isNewYear = at === 0 || begin.getUTCMonth() === 0;
          const text = `${name}: ${formatBytes(bytes)}, ${t('dataTables.eventCount', { count: events, events: formatWhole(events) })}`;
          return (
            <li key={month} title={text} className={classes.month}>
              <span className={classes.bar} style={{ height: `${(bytes / most) * 100}%` }} />
              <span className={classes.monthName} aria-hidden="true">
                {short.format(begin)}
                <span className={classes.year}>{isNewYear ? begin.getUTCFullYear() : null}</span>
              </span>
              <VisuallyHidden>{text}</VisuallyHidden>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** A calculation writes in place of a device, so it stands among them under its own name. */
function DeviceShares({ devices }: Pick<StorageUse, 'devices'>) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, isPending } = useQuery(deviceListQuery(wg));
  const calculations = useQuery(calculationsQuery(wg));
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  const computed = new Map(calculations.data?.map(({ _id, name }) => [_id, name]));
  const nameOf = (id: string) => {
    if (names.has(id))
      return (
        <Anchor component={Link} to={`/devices/${id}/general`}>
          {names.get(id)}
        </Anchor>
      );
    if (computed.has(id))
      return (
        <Anchor component={Link} to={`/admin/data/calculations/${id}`}>
          {t('dataTables.storage.calculation', { name: computed.get(id) })}
        </Anchor>
      );
    if (isPending || calculations.isPending) return <Skeleton height={14} width={120} />;
    return data ? t('dataTables.storage.noDevice') : id;
  };
  return (
    <Shares parts={devices.map(({ device, ...use }) => ({ key: device, name: nameOf(device), ...use }))} />
  );
}

interface SharePart {
  key: string;
  name: ReactNode;
  bytes: number;
  events: number;
}

/** Most first, each with its share of the largest. */
function Shares({ parts }: { parts: readonly SharePart[] }) {
  const sorted = parts.toSorted((a, b) => b.bytes - a.bytes).slice(0, 20);
  const most = Math.max(1, sorted[0]?.bytes ?? 1);
  return (
    <ul className={classes.shares}>
      {sorted.map(({ key, name, bytes, events }) => (
        <li key={key} className={classes.share}>
          <span className={classes.shareName}>{name}</span>
          <span className={classes.shareValue} title={formatWhole(events)}>
            {formatBytes(bytes)}
          </span>
          <span className={classes.track} aria-hidden>
            <span className={classes.fill} style={{ width: `${(bytes / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
