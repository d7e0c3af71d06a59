import type { Damage } from '@albedo/contract/store-checks/store-checks.schema';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatCount } from '../../ui/units/numbers.ts';
import { damagesQuery } from './store-checks.queries.ts';

const idOf = ({ engine, what }: Damage): string => `${engine} ${what}`;
const timeText = (at: number): string => formatInstant(at, userZone(), false);

/** What is damaged on the disk of the server, and what became of it. */
export function DamageTable() {
  const { t } = useTranslation();
  const list = useList({ query: damagesQuery, sort: '-foundAt' });
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <ListTable
      list={list}
      label={t('opsteam.tabs.damages')}
      failed={t('storeChecks.listFailed')}
      name="damages"
      columns={columns}
      rowId={idOf}
      search={t('storeChecks.search')}
      Narrow={NarrowDamage}
      empty={<EmptyState title={t('storeChecks.none')} text={t('storeChecks.noneText')} />}
    />
  );
}

function columnsOf(t: TFunction): Column<Damage>[] {
  return [
    { id: 'what', title: t('storeChecks.what'), value: (row) => row.what, width: 220, isFixed: true },
    {
      id: 'engine',
      title: t('storeChecks.engine'),
      value: (row) => engineText(row, t),
      width: 140,
      importance: 1,
    },
    { id: 'fate', title: t('storeChecks.fate'), value: (row) => fateText(row, t), width: 320, importance: 3 },
    { id: 'reason', title: t('storeChecks.reason'), value: (row) => row.reason, width: 320, importance: 2 },
    {
      id: 'foundAt',
      title: t('storeChecks.foundAt'),
      value: (row) => row.foundAt,
      isTime: true,
      text: (row) => timeText(row.foundAt),
      width: 170,
    },
  ];
}

const engineText = ({ engine }: Damage, t: TFunction): string => t(`storeChecks.engines.${engine}`);

function fateText({ engine, isSetAside, saved, lost }: Damage, t: TFunction): string {
  if (!isSetAside) return t(`storeChecks.fates.${engine === 'telemetry' ? 'stays' : engine}`);
  if (saved === null || lost === null) return t('storeChecks.fates.setAside');
  return t('storeChecks.fates.saved', { saved: formatCount(saved), lost: formatCount(lost) });
}

function NarrowDamage({ row }: { row: Damage }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={row.what}>
      {fateText(row, t)} · {timeText(row.foundAt)}
    </NarrowRow>
  );
}
