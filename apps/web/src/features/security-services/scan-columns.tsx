import type { SecurityTask } from '@albedo/contract/security-services/security-services.schema';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/data-table/column.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { Weekly } from './scan-controls.tsx';
import { markOf, stateText } from './scan-texts.ts';
import classes from './security-services.module.css';
import type { ScanRow } from './security-services.queries.ts';

export const nameOf = ({ name }: ScanRow): string => name;

export function columnsOf(t: TFunction, wg: string, task: SecurityTask, now: number): Column<ScanRow>[] {
  const count = (
    id: 'new' | 'gone' | 'unaccepted',
    of: (row: ScanRow) => number | null,
    importance: number,
  ) => ({
    id,
    title: t(`securityServices.columns.${id}`),
    hint: t(`securityServices.hints.${id}`),
    value: of,
    cell: (row: ScanRow) => <Count count={of(row)} isQuiet={id === 'gone'} />,
    align: 'right' as const,
    width: 85,
    importance,
    alarms: (row: ScanRow) => (of(row) ?? 0) > 0,
  });
  return [
    { id: 'name', title: t('securityServices.columns.name'), value: nameOf, width: 150, isFixed: true },
    {
      id: 'weekly',
      title: t('securityServices.columns.weekly'),
      hint: t('securityServices.hints.weekly'),
      value: ({ job }) => (job?.enabled ? 1 : 0),
      text: ({ job }) => t(job?.enabled ? 'securityServices.on' : 'securityServices.off'),
      cell: (row) => <Weekly wg={wg} task={task} row={row} />,
      width: 80,
    },
    {
      id: 'state',
      title: t('securityServices.columns.state'),
      value: (row) => stateText(t, row),
      cell: (row) => <State row={row} />,
      width: 170,
    },
    {
      id: 'last',
      title: t('securityServices.columns.last'),
      value: ({ job }) => job?.lastScan?.endedAt ?? null,
      isTime: true,
      text: ({ job }) => (job?.lastScan ? new Date(job.lastScan.endedAt).toISOString() : ''),
      cell: ({ job }) => (job?.lastScan ? agoText(job.lastScan.endedAt, now) : t('securityServices.never')),
      width: 110,
      importance: 2,
    },
    count('unaccepted', openOf, 4),
    count('new', (row) => sawIn(row)?.new ?? null, 3),
    count('gone', (row) => sawIn(row)?.gone ?? null, 1),
  ];
}

/** A scan that failed saw nothing, and says nothing of what is there. */
const sawIn = ({ job }: ScanRow) => (job?.lastScan?.outcome === 'failed' ? null : job?.lastScan);
const openOf = (row: ScanRow): number | null =>
  sawIn(row) || row.job?.unaccepted ? (row.job?.unaccepted ?? null) : null;

function Count({ count, isQuiet }: { count: number | null; isQuiet: boolean }) {
  if (count === null) return '–';
  if (count === 0) return '0';
  return <strong className={isQuiet ? '' : classes.calls}>{formatWhole(count)}</strong>;
}

/** How it goes with the scan of a device. */
export function State({ row }: { row: ScanRow }) {
  const { t } = useTranslation();
  const mark = markOf(row);
  return (
    <span className={classes.state} data-mark={mark}>
      {mark ? <LevelIcon mark={mark} size={12} /> : null}
      <span className={classes.stateText}>{stateText(t, row)}</span>
    </span>
  );
}
