import type { HistoryPlan, HistoryPreview } from '@albedo/contract/history-imports/history-imports.schema';
import { Table } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { FaultTexts, faultCounts } from './fault-texts.tsx';
import classes from './history-imports.module.css';

interface EventsTableProps {
  preview: HistoryPreview;
  timezone: string;
  existing: HistoryPlan['existing'];
  deviceName: (id: string) => string;
}

/** What would be stored, in the zone in which it was written, and what would not. */
export function EventsTable({ preview, timezone, existing, deviceName }: EventsTableProps) {
  const { t } = useTranslation();
  const { sample, faults, events, looked, isWhole, firstAt, lastAt } = preview;
  const lost = [...faultCounts(t, preview), ...lostTexts(t, preview)];
  const names = Object.keys(sample[0]?.values ?? {});
  return (
    <section aria-label={t('historyImports.preview')}>
      <p className={classes.note}>
        {t(isWhole ? 'historyImports.found' : 'historyImports.foundSoFar', {
          count: events,
          events: formatWhole(events),
          records: formatWhole(looked),
        })}
        {firstAt !== null && lastAt !== null
          ? `. ${t('historyImports.period', {
              from: formatInstant(firstAt, timezone),
              to: formatInstant(lastAt, timezone),
            })}`
          : null}
      </p>
      {lost.length > 0 ? (
        <ul className={classes.lost} aria-label={t('historyImports.lostTitle')}>
          {lost.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : isWhole && existing !== 'replace' ? (
        <p className={classes.note}>{t('historyImports.nothingLost')}</p>
      ) : null}
      {sample.length > 0 ? (
        <div className={classes.scroll}>
          <Table withTableBorder fz="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('historyImports.time')}</Table.Th>
                <Table.Th>{t('historyImports.device')}</Table.Th>
                <Table.Th>{t('historyImports.table')}</Table.Th>
                <Table.Th>{t('historyImports.source')}</Table.Th>
                {names.map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sample.slice(0, 5).map(({ at, device, table, source, values }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: events may be alike, and none moves.
                <Table.Tr key={i}>
                  <Table.Td>{formatInstant(at, timezone)}</Table.Td>
                  <Table.Td>{deviceName(device)}</Table.Td>
                  <Table.Td>{table}</Table.Td>
                  <Table.Td>{source}</Table.Td>
                  {names.map((name) => (
                    <Table.Td key={name}>{String(values[name] ?? '')}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      ) : null}
      <FaultTexts faults={faults} most={8} />
    </section>
  );
}

function lostTexts(t: TFunction, { existing, repeated, replaced }: HistoryPreview): string[] {
  const told = (key: 'willExist' | 'willRepeat' | 'willReplace', count: number) =>
    count > 0 ? [t(`historyImports.${key}`, { count, events: formatWhole(count) })] : [];
  return [...told('willExist', existing), ...told('willRepeat', repeated), ...told('willReplace', replaced)];
}
