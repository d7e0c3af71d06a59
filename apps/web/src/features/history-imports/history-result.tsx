import type { HistoryImport } from '@albedo/contract/history-imports/history-imports.schema';
import { Modal, Stack, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatWhole } from '../../ui/units/numbers.ts';
import { FaultTexts } from './fault-texts.tsx';

/** What became of the records of a file: every one of them is counted. */
export function HistoryResult({ file, onClose }: { file: HistoryImport; onClose: () => void }) {
  const { t } = useTranslation();
  const { name, counts, faults } = file;
  const rows = [
    'records',
    'events',
    'stored',
    'existing',
    'replaced',
    'repeated',
    'faulty',
    'values',
  ] as const;
  return (
    <Modal
      opened
      size="lg"
      title={name}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Table withTableBorder>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row}>
                <Table.Th fw={400}>{t(`historyImports.counts.${row}`)}</Table.Th>
                <Table.Td ta="right">{formatWhole(counts[row])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <FaultTexts faults={faults} most={100} />
      </Stack>
    </Modal>
  );
}
