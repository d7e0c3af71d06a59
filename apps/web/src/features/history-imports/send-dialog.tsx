import {
  HISTORY_FILE_BYTES,
  HISTORY_FORMATS,
  type HistoryFormat,
  type HistoryImport,
} from '@albedo/contract/history-imports/history-imports.schema';
import { Progress, Select } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { sendHistory } from './history-imports.queries.ts';

const LIMITS = { count: 1, fileBytes: HISTORY_FILE_BYTES, totalBytes: HISTORY_FILE_BYTES };

/** Takes a file of history and sends it part by part. */
export function SendDialog({
  onSent,
  onClose,
}: {
  onSent: (sent: HistoryImport) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<HistoryFormat>('csv');
  const [sent, setSent] = useState(0);
  const stopping = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    stopping.current = controller;
    return () => controller.abort();
  }, []);
  const sending = useSubmit(async () => {
    if (!file) return;
    setSent(0);
    onSent(await sendHistory(wg, file, format, { onSent: setSent, signal: stopping.current.signal }));
  });
  return (
    <FormDialog
      title={t('historyImports.create')}
      submit={t('historyImports.send')}
      isWorking={sending.isWorking}
      isDisabled={file === null}
      failure={sending.failure}
      onSubmit={(event) => void sending.handleSubmit(event)}
      onClose={onClose}
    >
      <FileDrop
        label={t('historyImports.choose')}
        files={file ? [file] : []}
        limits={LIMITS}
        onChange={(files) => {
          const next = files.at(-1) ?? null;
          setFile(next);
          if (next) setFormat(formatOf(next.name));
        }}
      />
      <Select
        label={t('historyImports.format')}
        allowDeselect={false}
        data={HISTORY_FORMATS.map((one) => ({ value: one, label: t(`historyImports.formats.${one}`) }))}
        value={format}
        onChange={(next) => setFormat((next ?? 'csv') as HistoryFormat)}
      />
      {sending.isWorking && file ? (
        <Progress value={(sent / file.size) * 100} aria-label={t('historyImports.sending')} />
      ) : null}
    </FormDialog>
  );
}

function formatOf(name: string): HistoryFormat {
  if (/\.(parquet|pq)$/i.test(name)) return 'parquet';
  if (/\.xls[xm]?$/i.test(name)) return 'xlsx';
  return /\.(lp|line|influx)$/i.test(name) ? 'lines' : 'csv';
}
