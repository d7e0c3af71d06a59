import { Modal, Table } from '@mantine/core';
import { formatInstant, zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { plain } from '../../ui/units/numbers.ts';
import { useBoard } from './board-context.ts';
import type { WidgetData } from './widget-data.ts';

/** What a widget shows, as it was when somebody asked for it. */
export function WidgetTable({
  title,
  data: { head, rows },
  onClose,
}: {
  title: string;
  data: WidgetData;
  onClose: () => void;
}) {
  const { zone } = useBoard();
  const first = rows.flat().find((cell) => cell instanceof Date);
  return (
    <Modal opened onClose={onClose} title={title} size="auto">
      <Table.ScrollContainer minWidth={0} mah="70vh">
        <Table>
          {first ? <Table.Caption>{zoneLabel(zone, first.getTime())}</Table.Caption> : null}
          <Table.Thead>
            <Table.Tr>
              {head.map((one) => (
                <Table.Th key={one}>{one}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names of their own, and never change here.
              <Table.Tr key={at}>
                {row.map((cell, column) => (
                  <Table.Td key={head[column]} style={{ fontVariantNumeric: 'tabular-nums' }}>
                    {cell instanceof Date
                      ? formatInstant(cell.getTime(), zone)
                      : typeof cell === 'number'
                        ? plain(cell)
                        : cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Modal>
  );
}
