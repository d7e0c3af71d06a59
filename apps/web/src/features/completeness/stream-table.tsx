import type { StreamCompleteness } from '@albedo/contract/completeness/completeness.schema';
import { compareNames } from '@albedo/contract/telemetry/name-order';
import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import edge from '../../ui/edges.module.css';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatAge } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { useEdges } from '../../ui/use-edges.ts';
import classes from './completeness.module.css';

const FEW_STREAMS = 8;

/**
 * The ledger stream by stream; streams with something missing come first. The device counts every ten seconds: what is
 * stored by now was captured and sent, even where its last count does not say so yet.
 */
export function StreamTable({ streams }: { streams: readonly StreamCompleteness[] }) {
  const { t } = useTranslation();
  const [areAllShown, setAllShown] = useState(false);
  const now = useNow(1000);
  const edges = useEdges<HTMLElement>();
  if (streams.length === 0) return null;
  const sorted = streams.toSorted(
    (a, b) =>
      missing(b) - missing(a) ||
      b.ahead - a.ahead ||
      compareNames(a.table, b.table) ||
      compareNames(a.source, b.source),
  );
  const shown = areAllShown ? sorted : sorted.slice(0, FEW_STREAMS);
  const zone = userZone();
  const isAnyAhead = streams.some(({ ahead }) => ahead > 0);
  return (
    <>
      <div className={`${edge.edges} ${classes.edges}`}>
        <section
          ref={edges}
          className={classes.scroll}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard.
          tabIndex={0}
          aria-label={t('completeness.streams.title')}
        >
          <Table fz="sm" verticalSpacing={6} tabularNums className={classes.streams}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('completeness.streams.stream')}</Table.Th>
                <Table.Th>{t('completeness.totals.captured')}</Table.Th>
                <Table.Th>{t('completeness.streams.sent')}</Table.Th>
                <Table.Th>{t('completeness.totals.stored')}</Table.Th>
                <Table.Th>{t('completeness.totals.dropped')}</Table.Th>
                <Table.Th>{t('completeness.totals.setAside')}</Table.Th>
                {isAnyAhead ? (
                  <Table.Th title={t('completeness.streams.aheadHint')}>
                    {t('completeness.streams.ahead')}
                  </Table.Th>
                ) : null}
                <Table.Th>{t('completeness.streams.newest')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((one) => (
                <Table.Tr key={`${one.table}\n${one.source}`}>
                  <Table.Td>
                    <span className={classes.dim}>{one.table}</span> {one.source}
                  </Table.Td>
                  <Table.Td>{formatWhole(Math.max(one.captured, one.stored))}</Table.Td>
                  <Table.Td>{formatWhole(Math.max(one.sent, one.stored))}</Table.Td>
                  <Table.Td>{formatWhole(one.stored)}</Table.Td>
                  <Table.Td data-bad={one.dropped > 0}>{formatWhole(one.dropped)}</Table.Td>
                  <Table.Td data-bad={one.setAside > 0}>{formatWhole(one.setAside)}</Table.Td>
                  {isAnyAhead ? (
                    <Table.Td data-bad={one.ahead > 0} title={t('completeness.streams.aheadHint')}>
                      {formatWhole(one.ahead)}
                    </Table.Td>
                  ) : null}
                  <Table.Td
                    title={one.lastEventAt === null ? undefined : formatInstant(one.lastEventAt, zone)}
                  >
                    {formatAge(one.lastEventAt, now)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      </div>
      {sorted.length > FEW_STREAMS ? (
        <Button variant="subtle" size="xs" onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? t('completeness.fewer') : t('completeness.streams.all', { count: sorted.length })}
        </Button>
      ) : null}
    </>
  );
}

const missing = ({ dropped, setAside }: StreamCompleteness): number => dropped + setAside;
