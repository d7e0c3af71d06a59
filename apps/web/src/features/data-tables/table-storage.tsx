import type { LegalHold, MonthOfTable, TableStorage } from '@albedo/contract/data-tables/data-tables.schema';
import { newLegalHold } from '@albedo/contract/data-tables/data-tables.schema';
import { Button, Group, Select, Skeleton, Table, TextInput } from '@mantine/core';
import { IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import type { RowAction } from '../../app/list/actions.ts';
import { useRowActions } from '../../app/list/use-row-actions.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useIsOwner } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import { localeTag } from '../../ui/units/locale.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import {
  dropMonth,
  placeHold,
  releaseHold,
  removeDataTable,
  tableStorageQuery,
} from './data-tables.queries.ts';
import classes from './storage.module.css';

/** What is dropped or held: a month, given by its first day, or the whole table. */
interface Part {
  table: string;
  month: string | null;
}

/** The months of one table, which owners can drop or hold. The address names the table. */
export function TableMonths({ tables }: { tables: readonly string[] }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const search = useSearch({ strict: false }) as { table?: string };
  const changeSearch = useSearchChange();
  const table = tables.find((name) => name === search.table) ?? tables[0] ?? '';
  const { data, error, refetch } = useQuery({ ...tableStorageQuery(wg, table), enabled: table !== '' });
  return (
    <Section
      title={t('dataTables.months.title')}
      context={t('dataTables.months.context')}
      actions={
        <Select
          aria-label={t('dataTables.table')}
          data={[...tables]}
          value={table}
          allowDeselect={false}
          searchable
          onChange={(next) => changeSearch({ table: next ?? undefined })}
        />
      }
    >
      {error && !data ? (
        <ErrorState
          title={t('dataTables.failedOne', { name: table })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <Months storage={data} key={data.table} />
      ) : (
        <Skeleton height={160} />
      )}
    </Section>
  );
}

function Months({ storage }: { storage: TableStorage }) {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  const now = useNow(60_000);
  const [dropping, setDropping] = useState<Part | null>(null);
  const [holding, setHolding] = useState<Part | null>(null);
  const { table, months, holds, dropped, events, bytes } = storage;
  const whole = { table, month: null };
  const menu = useMemo(
    () => ({
      label: ({ month }: MonthOfTable) => t('dataTables.months.menu', { month: monthText(month) }),
      actions: ({ month }: MonthOfTable): RowAction<MonthOfTable>[] =>
        isOwner
          ? [
              {
                id: 'hold',
                title: t('dataTables.holds.place'),
                icon: <IconLock size={16} />,
                run: async () => setHolding({ table, month }),
                failed: t('dataTables.holds.place'),
              },
              {
                id: 'drop',
                title: t('dataTables.months.drop'),
                icon: <IconTrash size={16} />,
                isDangerous: true,
                disabledBecause: holdOn(holds, month)
                  ? t('dataTables.holds.because')
                  : isRunning(month, now)
                    ? t('dataTables.months.isRunning')
                    : null,
                run: async () => setDropping({ table, month }),
                failed: t('dataTables.months.drop'),
              },
            ]
          : [],
    }),
    [t, isOwner, table, holds, now],
  );
  const { menuOf } = useRowActions({ menu, rows: months, rowId: ({ month }) => month });
  const droppedMonth = months.find(({ month }) => month === dropping?.month);
  return (
    <>
      <Holds holds={holds} />
      <WideTable label={t('dataTables.months.of', { table })} leastPx={520}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('dataTables.months.month')}</Table.Th>
            <Table.Th ta="right">{t('dataTables.events')}</Table.Th>
            <Table.Th ta="right">{t('dataTables.size')}</Table.Th>
            <Table.Th>{t('dataTables.months.span')}</Table.Th>
            <Table.Th aria-label={t('dataTables.months.actions')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.toReversed().map((row) => (
            <Table.Tr key={row.month}>
              <Table.Td>
                {monthText(row.month)}
                {holdOn(holds, row.month) ? (
                  <span className={classes.held}>
                    <IconLock size={14} aria-hidden /> {t('dataTables.holds.held')}
                  </span>
                ) : null}
              </Table.Td>
              <Table.Td ta="right" className="tabular">
                {formatWhole(row.events)}
              </Table.Td>
              <Table.Td ta="right" className="tabular">
                {formatBytes(row.bytes)}
              </Table.Td>
              <Table.Td>{spanText(row)}</Table.Td>
              <Table.Td ta="right">{menuOf(row)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {dropped.length > 0 ? (
        <ul className={classes.dropped} aria-label={t('dataTables.months.dropped')}>
          {dropped.map(({ month, by, at, isDone, events: gone, cameLater }) => (
            <li key={month}>
              {t(isDone ? 'dataTables.months.wasDropped' : 'dataTables.months.isDropped', {
                month: monthText(month),
                by,
                day: formatDay(at, 'UTC'),
                count: gone,
                events: formatWhole(gone),
              })}
              {cameLater > 0
                ? ` ${t('dataTables.months.cameLater', { count: cameLater, events: formatWhole(cameLater) })}`
                : ''}
            </li>
          ))}
        </ul>
      ) : null}
      {isOwner ? (
        <Group gap="xs" mt="md">
          <Button variant="default" leftSection={<IconLock size={16} />} onClick={() => setHolding(whole)}>
            {t('dataTables.holds.placeOn', { table })}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            disabled={holds.length > 0}
            title={holds.length > 0 ? t('dataTables.holds.because') : undefined}
            onClick={() => setDropping(whole)}
          >
            {t('dataTables.remove', { name: table })}
          </Button>
        </Group>
      ) : (
        <p className={classes.note}>{t('dataTables.ownersOnly')}</p>
      )}
      {dropping ? (
        <DropDialog
          part={dropping}
          goes={
            droppedMonth ?? {
              events,
              bytes,
              firstAt: months[0]?.firstAt ?? 0,
              lastAt: months.at(-1)?.lastAt ?? 0,
            }
          }
          onClose={() => setDropping(null)}
        />
      ) : null}
      {holding ? <HoldDialog part={holding} onClose={() => setHolding(null)} /> : null}
    </>
  );
}

interface DropDialogProps {
  part: Part;
  goes: Omit<MonthOfTable, 'month'>;
  onClose: () => void;
}

/** Says what is deleted, and asks to type its name. */
function DropDialog({ part, goes, onClose }: DropDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { table, month } = part;
  const name = month === null ? table : `${table} ${month.slice(0, 7)}`;
  return (
    <ConfirmDialog
      confirm={t('dataTables.remove', { name })}
      phrase={name}
      onConfirm={async () => {
        if (month === null) await removeDataTable(wg, table, name);
        else await dropMonth(wg, { table, month, phrase: name });
        notifyDone(t('dataTables.removing', { name }));
      }}
      onClose={onClose}
    >
      {t('dataTables.months.goes', {
        count: goes.events,
        events: formatWhole(goes.events),
        size: formatBytes(goes.bytes),
        span: spanText(goes),
        name,
      })}
    </ConfirmDialog>
  );
}

function HoldDialog({ part, onClose }: { part: Part; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { field, dialog } = useContractForm({
    schema: newLegalHold,
    initial: { ...part, reason: '' },
    send: async (hold) => {
      await placeHold(wg, hold);
      notifyDone(t('dataTables.holds.placed', { name: partText(part) }));
      onClose();
    },
  });
  return (
    <FormDialog
      {...dialog}
      title={t('dataTables.holds.placeOn', { table: partText(part) })}
      submit={t('dataTables.holds.place')}
      onClose={onClose}
    >
      <p className={classes.note}>{t('dataTables.holds.text')}</p>
      <TextInput
        {...field('reason')}
        data-autofocus
        label={t('dataTables.holds.reason')}
        description={t('dataTables.holds.reasonHelp')}
        maxLength={500}
      />
    </FormDialog>
  );
}

function Holds({ holds }: { holds: readonly LegalHold[] }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const isOwner = useIsOwner();
  const [releasing, setReleasing] = useState<LegalHold | null>(null);
  if (holds.length === 0) return null;
  return (
    <ul className={classes.holds} aria-label={t('dataTables.holds.title')}>
      {holds.map((hold) => (
        <li key={hold._id} className={classes.hold}>
          <IconLock size={16} aria-hidden />
          <span>
            {t('dataTables.holds.is', {
              name: partText(hold),
              by: hold.by,
              day: formatDay(hold.at, 'UTC'),
              reason: hold.reason,
            })}
          </span>
          {isOwner ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconLockOpen size={14} />}
              onClick={() => setReleasing(hold)}
            >
              {t('dataTables.holds.release')}
            </Button>
          ) : null}
        </li>
      ))}
      {releasing ? (
        <ConfirmDialog
          confirm={t('dataTables.holds.release')}
          onConfirm={async () => {
            await releaseHold(wg, releasing._id);
            notifyDone(t('dataTables.holds.released', { name: partText(releasing) }));
          }}
          onClose={() => setReleasing(null)}
        >
          {t('dataTables.holds.releaseText', { name: partText(releasing) })}
        </ConfirmDialog>
      ) : null}
    </ul>
  );
}

const holdOn = (holds: readonly LegalHold[], month: string | null): LegalHold | undefined =>
  holds.find((hold) => hold.month === null || hold.month === month);

/** Months are in UTC. */
const isRunning = (month: string, now: number): boolean =>
  month.slice(0, 7) >= new Date(now).toISOString().slice(0, 7);

const monthText = (month: string): string =>
  new Intl.DateTimeFormat(localeTag(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(month),
  );

const partText = ({ table, month }: Part): string =>
  month === null ? table : `${table}, ${monthText(month)}`;

const spanText = ({ firstAt, lastAt }: Pick<MonthOfTable, 'firstAt' | 'lastAt'>): string =>
  `${formatDay(firstAt, 'UTC')} – ${formatDay(lastAt, 'UTC')}`;
