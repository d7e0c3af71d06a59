import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { formatInstant, isoWithOffset } from '../../ui/time-range/zoned-time.ts';
import classes from './audit.module.css';
import { sentenceOf } from './audit-sentence.ts';
import { changeLine } from './change-text.ts';

export function auditColumns(t: TFunction, zone: string): Column<AuditRow>[] {
  return [
    {
      id: 'at',
      title: t('audit.time'),
      value: (row) => row.at,
      isTime: true,
      text: (row) => isoWithOffset(row.at, zone),
      cell: (row) => formatInstant(row.at, zone),
      width: 190,
      isFixed: true,
    },
    {
      id: 'by',
      title: t('audit.by'),
      value: (row) => row.by,
      text: (row) => row.by ?? '',
      cell: (row) => row.by ?? <span className={`words ${classes.system}`}>{t('audit.system')}</span>,
      width: 190,
      importance: 75,
    },
    {
      id: 'event',
      title: t('audit.event'),
      value: (row) => sentenceOf(t, row),
      cell: (row) => (
        <span className={`words ${classes.action}`} data-status={row.status}>
          {sentenceOf(t, row)}
        </span>
      ),
      width: 300,
      importance: 90,
    },
    { id: 'change', title: t('audit.change'), value: changeLine, width: 300, importance: 80 },
    { id: 'address', title: t('audit.address'), value: (row) => row.address, width: 130, importance: 70 },
    {
      id: 'controller',
      title: t('audit.controller'),
      value: (row) => row.controller,
      width: 130,
      isHidden: true,
    },
    {
      id: 'action',
      title: t('audit.action'),
      value: (row) => row.action,
      cell: (row) => (
        <span className={`words ${classes.action}`} data-status={row.status}>
          {row.action}
          {row.status === 'failed' ? ` (${t('audit.statuses.failed')})` : ''}
        </span>
      ),
      width: 170,
      isHidden: true,
    },
    { id: 'entity', title: t('audit.entity'), value: concernOf, width: 200, isHidden: true },
    { id: 'device', title: t('audit.device'), value: (row) => row.device, width: 290, isHidden: true },
    {
      id: 'status',
      title: t('audit.status'),
      value: (row) => t(`audit.statuses.${row.status}`),
      width: 100,
      isHidden: true,
    },
  ];
}

/** What was acted on: a device by its name, anything else by its own name and its device's. */
function concernOf({ entity, deviceName }: AuditRow): string {
  if (deviceName === null) return entity;
  return entity === 'device' ? deviceName : `${entity} · ${deviceName}`;
}

/** An entry on a narrow screen. */
export function NarrowEntry({ row, zone }: { row: AuditRow; zone: string }) {
  const { t } = useTranslation();
  return (
    <NarrowRow
      title={
        <span className={classes.action} data-status={row.status}>
          {sentenceOf(t, row)}
        </span>
      }
    >
      {formatInstant(row.at, zone, false)} · {row.by ?? t('audit.system')}
    </NarrowRow>
  );
}
