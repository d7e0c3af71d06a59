import type { Kpi, KpiInput, KpiResult, KpiValue, KpiWeight } from '@albedo/contract/kpis/kpis.schema';
import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Span } from '../../ui/time-range/time-range.ts';
import { formatDay, formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { entitiesQuery } from '../entity-query.ts';
import classes from './figures.module.css';
import { titleOf } from './figures.ts';
import { RowsLink } from './rows-link.tsx';

/** Each value with its streams and facts: how many readings, how much is known, what was left out and why. */
export function LineageTable({
  wg,
  kpi,
  results,
  zone,
  span,
}: {
  wg: string;
  kpi: Pick<Kpi, 'values'>;
  zone: string;
  /** The range of the values. */
  span: Span;
  results: readonly { name: string; result: KpiResult; title: string }[];
}) {
  const { t } = useTranslation();
  const { data: entities } = useQuery(entitiesQuery(wg));
  const byId = new Map(entities?.map((one) => [one._id, one]));
  const nameOf = (id: string) => {
    const one = byId.get(id);
    const above = byId.get(one?.parent ?? '');
    return [above?.name, one?.name ?? id].filter(Boolean).join(' › ');
  };
  const called = (name: string) => titleOf(name, { displayName: kpi.values[name]?.displayName ?? '' });
  const byPeers = (name: string, { uses, peers = [] }: KpiResult) => {
    const value = kpi.values[name];
    const aggregator = value?.kind === 'peers' ? value.aggregator : 'median';
    return t('kpis.byPeers', {
      aggregator: t(`kpis.aggregators.${aggregator}`),
      name: uses.map(called).join(', '),
      count: peers.filter((one) => one.value !== null).length,
    });
  };
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('kpis.value')}</Table.Th>
            <Table.Th>{t('kpis.from')}</Table.Th>
            <Table.Th ta="right">{t('kpis.result')}</Table.Th>
            <Table.Th ta="right">{t('lineage.share')}</Table.Th>
            <Table.Th ta="right">{t('kpis.count')}</Table.Th>
            <Table.Th ta="right">{t('kpis.known')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.flatMap(({ name, result, title }) => [
            <Table.Tr key={name} className={classes.lineHead}>
              <Table.Td>{title}</Table.Td>
              <Table.Td>
                {result.kind === 'formula'
                  ? t('kpis.byFormula', {
                      formula: result.formula,
                      names: result.uses.map(called).join(', '),
                    })
                  : result.kind === 'aggregate'
                    ? result.missing
                      ? t(`kpis.missing.${result.missing.part}`, { name: result.missing.name })
                      : t('kpis.byStreams', { count: result.streamCount })
                    : result.kind === 'peers'
                      ? byPeers(name, result)
                      : t('kpis.byFacts')}
              </Table.Td>
              <Table.Td ta="right" className={classes.count}>
                {formatValue(result.value, result.units)}
              </Table.Td>
              <Table.Td />
              <Table.Td ta="right" className={classes.count}>
                {result.count > 0 ? formatWhole(result.count) : ''}
              </Table.Td>
              <Table.Td ta="right" className={classes.count}>
                {result.coverage === null ? '' : formatValue(result.coverage * 100, '%')}
              </Table.Td>
            </Table.Tr>,
            ...(result.streams ?? []).map((one) => (
              <Table.Tr key={`${name} ${one.deviceId} ${one.table} ${one.source} ${one.field}`}>
                <Table.Td />
                <Table.Td>
                  {nameOf(one.entity)} · {one.field} <RowsLink stream={one} span={span} zone={zone} />
                  {one.excluded ? <em> – {t(`kpis.excluded.${one.excluded}`)}</em> : null}
                  {one.excludedReadings.map(({ at, value, count, reason }) => (
                    <div key={at} className={classes.note}>
                      {t(`lineage.${reason}`, {
                        count,
                        number: formatWhole(count),
                        value: formatValue(value, ''),
                        at: formatInstant(at, zone, false),
                      })}
                    </div>
                  ))}
                  {one.restarts.map(({ at, before, value, kind }) => (
                    <div key={at} className={classes.note}>
                      {t(`lineage.${kind}`, {
                        before: formatValue(before, ''),
                        value: formatValue(value, ''),
                        at: formatInstant(at, zone, false),
                      })}
                    </div>
                  ))}
                  {one.lateCount > 0 && one.lastLateAt !== null ? (
                    <div className={classes.note}>
                      {t('lineage.late', {
                        count: one.lateCount,
                        number: formatWhole(one.lateCount),
                        at: formatInstant(one.lastLateAt, zone, false),
                      })}
                    </div>
                  ) : null}
                  {one.keptFrom === null ? null : (
                    <div className={classes.note}>
                      {t('lineage.kept', { at: formatInstant(one.keptFrom, zone, false) })}
                    </div>
                  )}
                </Table.Td>
                <Table.Td ta="right" className={classes.count}>
                  {one.excluded ? '' : formatValue(one.value, result.units)}
                </Table.Td>
                <Table.Td ta="right" className={classes.count}>
                  {shareText(shareOf(one, kpi.values[name], result.value))}
                </Table.Td>
                <Table.Td ta="right" className={classes.count}>
                  {formatWhole(one.count)}
                </Table.Td>
                <Table.Td ta="right" className={classes.count}>
                  {formatValue(one.coverage * 100, '%')}
                </Table.Td>
              </Table.Tr>
            )),
            ...(result.weights ?? []).map((one) => (
              <Table.Tr key={`${name} weight ${one.deviceId} ${one.table} ${one.source} ${one.field}`}>
                <Table.Td />
                <Table.Td>
                  {nameOf(one.entity)} · {one.field}
                  <em> – {t(besideText(one, kpi.values[name]))}</em>
                </Table.Td>
                <Table.Td />
                <Table.Td />
                <Table.Td />
                <Table.Td />
              </Table.Tr>
            )),
            ...(result.peers ?? []).map((one) => (
              <Table.Tr key={`${name} ${one.entity}`}>
                <Table.Td />
                <Table.Td>
                  {nameOf(one.entity)}
                  {one.value === null ? <em> – {t('kpis.excluded.noData')}</em> : null}
                </Table.Td>
                <Table.Td ta="right" className={classes.count}>
                  {formatValue(one.value, result.units)}
                </Table.Td>
                <Table.Td />
                <Table.Td />
                <Table.Td />
              </Table.Tr>
            )),
            ...(result.facts ?? []).map((one) => (
              <Table.Tr key={`${name} ${one.entity}`}>
                <Table.Td />
                <Table.Td>
                  {nameOf(one.entity)} · {one.key}
                  {one.excluded ? <em> – {t(`kpis.excluded.${one.excluded}`)}</em> : null}
                  {one.since === null ? null : (
                    <div className={classes.note}>
                      {t('lineage.since', { day: formatDay(Date.parse(one.since), 'UTC') })}
                    </div>
                  )}
                </Table.Td>
                <Table.Td ta="right" className={classes.count}>
                  {one.excluded ? '' : formatValue(one.value, result.units)}
                </Table.Td>
                <Table.Td />
                <Table.Td />
                <Table.Td />
              </Table.Tr>
            )),
          ])}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Whether a stream beside a value weighs it, or decides which times count. */
const besideText = ({ isUsed }: KpiWeight, definition: KpiValue | undefined): string =>
  definition?.kind === 'aggregate' && definition.during
    ? 'kpis.decidesTimes'
    : isUsed
      ? 'kpis.weight'
      : 'kpis.weightElsewhere';

const shareText = (share: number | null): string => (share === null ? '' : formatValue(share, '%'));

/** What a stream gave of a sum, percent; null where the streams were not added up. */
export function shareOf(
  { value, excluded }: Pick<KpiInput, 'value' | 'excluded'>,
  definition: KpiValue | undefined,
  total: number | null,
): number | null {
  const isSum =
    definition?.kind === 'aggregate' && definition.aggregator === 'sum' && definition.sliceMinutes === null;
  if (!isSum || excluded || value === null || !total) return null;
  return (value / total) * 100;
}
