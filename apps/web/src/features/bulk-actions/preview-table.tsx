import type { BulkPreview } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './bulk-actions.module.css';

interface PreviewTableProps {
  rows: BulkPreview[];
  devices: readonly { id: string; name: string }[];
}

/** True for a device that is as it should be already; whether one that is offline is, nobody knows yet. */
export const needsNothing = ({ before, after, problem }: BulkPreview): boolean =>
  problem === null && before === after;

/** What a dry run found, device by device: lines that would go, and lines that would come. */
export function PreviewTable({ rows, devices }: PreviewTableProps) {
  const { t } = useTranslation();
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const changes = rows.filter((row) => row.problem === null && !needsNothing(row)).length;
  const away = rows.filter(({ problem }) => problem?.error === 'device.offline').length;
  const problems = rows.filter(({ problem }) => problem !== null).length - away;
  return (
    <section aria-label={t('bulkActions.dryRun')}>
      <Text size="sm" fw={600}>
        {t('bulkActions.preview.summary', { changes, away, problems, all: rows.length })}
      </Text>
      <Table.ScrollContainer minWidth={420} maxHeight={280} type="native">
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.deviceId}>
                <Table.Td>{names.get(row.deviceId) ?? row.deviceId}</Table.Td>
                <Table.Td>
                  <Change row={row} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

function Change({ row: { before, after, problem } }: { row: BulkPreview }) {
  const { t } = useTranslation();
  if (problem?.error === 'device.offline') return t('bulkActions.preview.away');
  if (problem) return <span className={classes.gone}>{problem.message}</span>;
  if (before === after) return t('bulkActions.preview.same');
  const [old, fresh] = [linesOf(before), linesOf(after)];
  return (
    <pre className={classes.text}>
      {old
        .filter((line) => !fresh.includes(line))
        .map((line) => (
          <div key={`- ${line}`} className={classes.gone}>{`− ${line}`}</div>
        ))}
      {fresh
        .filter((line) => !old.includes(line))
        .map((line) => (
          <div key={`+ ${line}`} className={classes.come}>{`+ ${line}`}</div>
        ))}
    </pre>
  );
}

const linesOf = (text: string | null): string[] => (text ?? '').split('\n').filter((line) => line !== '');
