import type { MappedPreview } from '@albedo/contract/mapping/mapping.schema';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './external-sources.module.css';

/** Events that are shown. */
const SHOWN = 6;

/** What would be stored, in the zone in which it was written, and what would not. */
export function PreviewTable({ preview, timezone }: { preview: MappedPreview; timezone: string }) {
  const { t } = useTranslation();
  const { faults } = preview;
  const sample = preview.sample.slice(0, SHOWN);
  // Messages of a broker do not have the same fields each.
  const names = [...new Set(sample.flatMap(({ values }) => Object.keys(values)))];
  return (
    <section aria-label={t('externalSources.preview')}>
      <p className={classes.note}>
        {t('externalSources.found', {
          count: preview.events,
          events: formatWhole(preview.events),
          records: formatWhole(preview.records),
        })}
      </p>
      {sample.length > 0 ? (
        <Table.ScrollContainer minWidth={0}>
          <Table withTableBorder>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('externalSources.time')}</Table.Th>
                <Table.Th>{t('externalSources.source')}</Table.Th>
                {names.map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sample.map(({ at, source, values }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: records may be alike, and none moves.
                <Table.Tr key={i}>
                  <Table.Td>{formatInstant(at, timezone)}</Table.Td>
                  <Table.Td>{source}</Table.Td>
                  {names.map((name) => (
                    <Table.Td key={name}>{String(values[name] ?? '')}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
      {faults.length > 0 ? (
        <ul className={classes.faults}>
          {faults.slice(0, 5).map(({ record, reason, text }) => (
            <li key={`${record} ${reason} ${text}`}>
              {t(`externalSources.faults.${reason}`, { record, text })}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
