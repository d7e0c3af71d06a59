import type { HistoryPreview } from '@albedo/contract/history-imports/history-imports.schema';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './history-imports.module.css';

const SHOWN = 3;

/** The first records of a file as they were written. */
export function FirstRecords({ beginning: { columns, records } }: { beginning: HistoryPreview }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('historyImports.firstRecords')} className={classes.scroll}>
      <Table withTableBorder fz="xs">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.slice(0, SHOWN).map((record, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: records may be alike, and none moves.
            <Table.Tr key={i}>
              {columns.map((column) => (
                <Table.Td key={column} className={classes.cell}>
                  {record[column] ?? ''}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
