import type { FollowResult } from '@albedo/contract/schedules/schedules.names';
import type { InverterFollows } from '@albedo/contract/schedules/schedules.schema';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './schedules.module.css';

const MARKS = { followed: 'ok', notFollowed: 'danger', notTestable: 'waiting' } as const;
const ORDER: Readonly<Record<FollowResult, number>> = { notFollowed: 0, notTestable: 1, followed: 2 };

/** What became of a setpoint, inverter by inverter; those that do not follow come first. */
export function InverterTable({ inverters }: { inverters: readonly InverterFollows[] }) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const sorted = inverters.toSorted(
    (a, b) => ORDER[a.result] - ORDER[b.result] || a.name.localeCompare(b.name, undefined, { numeric: true }),
  );
  const newest = Math.max(...inverters.map(({ at }) => at));
  return (
    <>
      <WideTable label={t('schedules.inverters.title')} leastPx={680}>
        <Table.Thead>
          <Table.Tr>
            {(['name', 'result', 'wanted', 'readBack', 'power', 'register'] as const).map((head) => (
              <Table.Th key={head} data-is-number={NUMBERS.includes(head)}>
                {t(`schedules.inverters.${head}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((one) => (
            <Table.Tr key={one.name}>
              <Table.Td fw={600}>{one.name}</Table.Td>
              <Table.Td>
                <span className={classes.result} data-result={one.result}>
                  <LevelIcon mark={MARKS[one.result]} />
                  {t(`schedules.results.${one.result}`)}
                </span>
                {one.isForeign || one.why ? (
                  <div className={classes.why}>
                    {[one.isForeign ? t('schedules.foreign') : null, one.why].filter(Boolean).join(' ')}
                  </div>
                ) : null}
              </Table.Td>
              <Table.Td data-is-number>{one.wanted ?? NO_VALUE}</Table.Td>
              <Table.Td data-is-number>{one.readBack ?? NO_VALUE}</Table.Td>
              <Table.Td data-is-number>{formatValue(one.powerW, 'W')}</Table.Td>
              <Table.Td className={classes.code}>{one.register}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      <p className={classes.note}>{t('schedules.inverters.at', { ago: agoText(newest, now) })}</p>
    </>
  );
}

const NUMBERS: readonly string[] = ['wanted', 'readBack', 'power'];
