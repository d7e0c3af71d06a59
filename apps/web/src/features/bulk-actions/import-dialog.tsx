import type { DeviceCsvRow } from '@albedo/contract/bulk-actions/device-csv.schema';
import { Button, FileInput, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt, useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import classes from './bulk-actions.module.css';
import { importDevices } from './bulk-actions.queries.ts';

const MARKS: Record<DeviceCsvRow['outcome'], Mark> = {
  new: 'ok',
  changed: 'ok',
  same: 'unknown',
  wrong: 'danger',
};

/** Devices from CSV: what each line would do is shown before anything is done. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [csv, setCsv] = useState('');
  const [rows, setRows] = useState<DeviceCsvRow[] | null>(null);
  const look = useAttempt();
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const done = await importDevices(wg, csv, false);
    const wrong = done.filter(({ outcome }) => outcome === 'wrong');
    setRows(done);
    if (wrong.length > 0) return;
    notifyDone(t('bulkActions.csv.done', { count: done.length }));
    onClose();
  });
  const handleFile = (file: File | null) =>
    void look.attempt(async () => {
      const text = (await file?.text()) ?? '';
      setCsv(text);
      setRows(text === '' ? null : await importDevices(wg, text, true));
    });
  const useful = rows?.filter(({ outcome }) => outcome === 'new' || outcome === 'changed') ?? [];
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('bulkActions.csv.import')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          <Text size="sm">{t('bulkActions.csv.help')}</Text>
          <FileInput label={t('bulkActions.csv.file')} accept=".csv,text/csv" onChange={handleFile} />
          {rows ? (
            <Table.ScrollContainer minWidth={280} maxHeight={320} type="native">
              <Table verticalSpacing={6} aria-label={t('bulkActions.csv.lines')}>
                <Table.Tbody>
                  {rows.map(({ line, name, outcome, message }) => (
                    <Table.Tr key={line}>
                      <Table.Td>{line}</Table.Td>
                      <Table.Td>{name}</Table.Td>
                      <Table.Td className={`${classes.state} ${message ? classes.fault : ''}`}>
                        <LevelIcon mark={MARKS[outcome]} />
                        {message ?? t(`bulkActions.csv.outcomes.${outcome}`)}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          ) : null}
        </Stack>
        <Failure text={failure ?? look.failure} />
        <Group justify="flex-end" mt="lg">
          <Button type="submit" loading={isWorking} disabled={useful.length === 0}>
            {t('bulkActions.csv.take', { count: useful.length })}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
