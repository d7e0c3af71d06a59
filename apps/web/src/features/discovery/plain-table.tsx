import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** A table of a few facts; `heads` name the texts of its columns. */
export function PlainTable({ heads, children }: { heads: readonly string[]; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={440} type="native">
      <Table verticalSpacing={6} horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{t(`discovery.columns.${head}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
