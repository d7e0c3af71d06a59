import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { WideTable } from '../../ui/wide-table.tsx';

/** A table of a few facts; `heads` name the texts of its columns. */
export function PlainTable({ heads, children }: { heads: readonly string[]; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <WideTable label={heads.map((head) => t(`discovery.columns.${head}`)).join(', ')} leastPx={440}>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head}>{t(`discovery.columns.${head}`)}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </WideTable>
  );
}
