import type { CalculationChange } from '@albedo/contract/calculations/calculations.schema';
import type { Kpi, KpiAnswer } from '@albedo/contract/kpis/kpis.schema';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatValue } from '../../ui/units/units.ts';
import classes from './figures.module.css';
import { resultsOf, titleOf } from './figures.ts';
import { LineageTable } from './lineage-table.tsx';

interface LineageProps {
  wg: string;
  kpi: Pick<Kpi, 'values'>;
  answer: KpiAnswer;
  /** What these numbers were before, the newest first; of figures that are computed when they are asked for, none. */
  changes?: readonly CalculationChange[];
}

/**
 * Where a number comes from: each input with its readings, how much is known and what was left out; the facts that held;
 * whose days they are, by which version of the definition and when it was computed, and what changed it since.
 */
export function Lineage({ wg, kpi, answer, changes = [] }: LineageProps) {
  const { t } = useTranslation();
  const { zone, version, computedAt } = answer;
  const results = resultsOf(kpi, answer).flatMap((one) =>
    one.result ? [{ ...one, result: one.result }] : [],
  );
  return (
    <Section title={t('kpis.lineage')} context={t(`kpis.zoneFrom.${answer.zoneFrom}`, { zone })} isFlush>
      <LineageTable wg={wg} results={results} kpi={kpi} zone={zone} span={answer} />
      {changes.length > 0 ? (
        <Changes kpi={kpi} changes={changes} zone={zone} units={unitsIn(answer)} />
      ) : null}
      <p className={`${classes.note} ${classes.part}`}>
        {version > 0
          ? t('lineage.computed', { version, at: formatInstant(computedAt, zone) })
          : t('lineage.computedUnsaved', { at: formatInstant(computedAt, zone) })}
      </p>
    </Section>
  );
}

const unitsIn = ({ values }: KpiAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, { units }]) => [name, units]));

interface ChangesProps {
  kpi: Pick<Kpi, 'values'>;
  changes: readonly CalculationChange[];
  zone: string;
  units: Readonly<Record<string, string>>;
  /** Says of which interval and entity each is. */
  nameOf?: (entity: string) => string;
}

/** Numbers that are other ones now: what they were, what they are, and why. */
export function Changes({ kpi, changes, zone, units, nameOf }: ChangesProps) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('lineage.changed')}</Table.Th>
            {nameOf ? <Table.Th>{t('lineage.place')}</Table.Th> : null}
            <Table.Th>{t('kpis.value')}</Table.Th>
            <Table.Th ta="right">{t('lineage.was')}</Table.Th>
            <Table.Th ta="right">{t('lineage.now')}</Table.Th>
            <Table.Th>{t('lineage.cause')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((one) => (
            <Table.Tr key={`${one.changedAt} ${one.entity} ${one.field} ${one.at}`}>
              <Table.Td>{formatInstant(one.changedAt, zone)}</Table.Td>
              {nameOf ? (
                <Table.Td>
                  {nameOf(one.entity)}, {formatInstant(one.at, zone, false)}
                </Table.Td>
              ) : null}
              <Table.Td>
                {titleOf(one.field, { displayName: kpi.values[one.field]?.displayName ?? '' })}
              </Table.Td>
              <Table.Td ta="right">{formatValue(one.was, units[one.field] ?? '')}</Table.Td>
              <Table.Td ta="right">{formatValue(one.now, units[one.field] ?? '')}</Table.Td>
              <Table.Td>{t(`lineage.causes.${one.cause}`, { version: one.version })}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
