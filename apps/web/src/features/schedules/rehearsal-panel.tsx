import type { Rehearsal } from '@albedo/contract/schedules/schedules.schema';
import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { knownFailureText } from '../../app/i18n.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './schedules.module.css';
import { valueText } from './values.ts';
import { dayAndClock, utcText } from './when-text.ts';

type Problem = Rehearsal['problems'][number];

/** The place among the entries that a problem is about; null where it is about something else. */
export function placeOf({ part }: Problem): number | null {
  const match = /entries(?:\.|\[)(\d+)/.exec(part);
  return match ? Number(match[1]) : null;
}

export const problemText = ({ issue, message, facts }: Problem): string =>
  knownFailureText(issue, message, facts);

/** What each entry would put into which register of which inverter, what it costs, and what stands against it. */
export function RehearsalPanel({ rehearsal, kind }: { rehearsal: Rehearsal; kind: SetpointKind }) {
  const { t } = useTranslation();
  const { entries, inverters, problems, curtailedKwh, curtailedWhy, zone, entryCount } = rehearsal;
  const reached = inverters.filter(({ isReached }) => isReached).length;
  const general = problems.filter((problem) => placeOf(problem) === null);
  const ofEntry = (index: number) => problems.filter((problem) => placeOf(problem) === index);
  return (
    <div className={classes.rehearsal}>
      <p className={classes.verdict} role="status">
        <LevelIcon mark={problems.length === 0 ? 'ok' : 'danger'} size={16} />
        {problems.length === 0
          ? t('schedules.rehearsal.fine', { reached, count: inverters.length })
          : t('schedules.rehearsal.problems', { count: problems.length })}
      </p>
      <p className={classes.note}>
        {curtailedKwh === null
          ? t('schedules.rehearsal.noLoss', { why: curtailedWhy ?? '' })
          : t('schedules.rehearsal.loss', { energy: formatValue(curtailedKwh, 'kWh') })}
      </p>
      {general.length > 0 ? (
        <ul className={classes.faults}>
          {general.map((problem) => (
            <li key={`${problem.part} ${problem.message}`}>{problemText(problem)}</li>
          ))}
        </ul>
      ) : null}
      <h3 className={classes.sub}>{t('schedules.rehearsal.entries')}</h3>
      {entries.map((entry, index) => {
        const at = Date.parse(entry.datetime);
        const kw = entry.inverters.flatMap((one) => one.kw ?? []);
        const total = kw.length > 0 ? kw.reduce((sum, one) => sum + one, 0) : null;
        return (
          <details key={entry.datetime} className={classes.entry}>
            <summary>
              <span className="tabular">{dayAndClock(at, zone)}</span>
              <span className={`tabular ${classes.dim}`}>{utcText(at)}</span>
              <b>{entry.value === '' ? t('schedules.units.end') : valueText(t, kind, entry.value)}</b>
              <span className={classes.dim}>
                {total === null
                  ? t('schedules.rehearsal.of', { count: entry.inverters.length })
                  : t('schedules.rehearsal.atMost', {
                      power: formatValue(total, 'kW'),
                      count: entry.inverters.length,
                    })}
              </span>
              {ofEntry(index).map((problem) => (
                <span key={problem.message} className={classes.fault}>
                  {problemText(problem)}
                </span>
              ))}
            </summary>
            <WideTable label={t('schedules.rehearsal.registers')} leastPx={480}>
              <Table.Tbody>
                {entry.inverters.map((one) => (
                  <Table.Tr key={one.name}>
                    <Table.Td fw={600}>{one.name}</Table.Td>
                    <Table.Td className={classes.code}>{one.register}</Table.Td>
                    <Table.Td data-is-number>{formatValue(one.kw, 'kW')}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </WideTable>
          </details>
        );
      })}
      {entryCount > entries.length ? (
        <p className={classes.note}>
          {t('schedules.rehearsal.more', { shown: entries.length, count: entryCount })}
        </p>
      ) : null}
      <h3 className={classes.sub}>{t('schedules.rehearsal.alone')}</h3>
      <Alone rehearsal={rehearsal} />
    </div>
  );
}

/** What inverters do by themselves when nobody renews their setpoint, and whether they take writes. */
function Alone({ rehearsal: { inverters } }: { rehearsal: Rehearsal }) {
  const { t } = useTranslation();
  return (
    <WideTable label={t('schedules.rehearsal.alone')} leastPx={640}>
      <Table.Thead>
        <Table.Tr>
          {(['name', 'rated', 'writes', 'lost'] as const).map((head) => (
            <Table.Th key={head}>{t(`schedules.rehearsal.columns.${head}`)}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {inverters.map((one) => (
          <Table.Tr key={one.name}>
            <Table.Td fw={600}>
              {one.name}
              {one.model === null ? null : <div className={classes.why}>{`SunSpec ${one.model}`}</div>}
            </Table.Td>
            <Table.Td>{one.ratedKw === null ? NO_VALUE : formatValue(one.ratedKw, 'kW')}</Table.Td>
            <Table.Td>
              <span className={classes.result} data-result={RESULTS[one.mayWrite]}>
                <LevelIcon mark={MARKS[one.isReached ? one.mayWrite : 'no']} />
                {t(one.isReached ? `schedules.rehearsal.may.${one.mayWrite}` : 'schedules.rehearsal.away')}
              </span>
              {one.why ? <div className={classes.why}>{one.why}</div> : null}
              {one.isPersistent ? (
                <div className={classes.why}>
                  {t('schedules.rehearsal.wears', { count: one.persistentWritesToday })}
                </div>
              ) : null}
            </Table.Td>
            <Table.Td>
              {t(`schedules.rehearsal.lost.${one.whenLost}`, {
                seconds: one.timerS ?? NO_VALUE,
                value: one.fallback ?? NO_VALUE,
              })}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

const MARKS = { yes: 'ok', no: 'danger', unknown: 'unknown' } as const;
const RESULTS = { yes: 'followed', no: 'notFollowed', unknown: 'notTestable' } as const;
