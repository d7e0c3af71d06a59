import { LOOKUP_TABLE_LIMITS } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../ui/failure.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { messageOf } from '../../ui/message-of.ts';
import classes from './lookup-tables.module.css';
import { type Upload, uploadOf } from './table-from-csv.ts';

const LIMITS = { count: 1, fileBytes: 10_000_000, totalBytes: 10_000_000 };
const TYPES = ['text/csv', 'text/plain', 'text/tab-separated-values', 'application/vnd.ms-excel'];
/** As many as one mends before trying again. */
const SHOWN_FAULTS = 8;

/** Takes a CSV file, reads it, and says what is wrong with which row. Null while there is none that is good. */
export function UploadField({ onRead }: { onRead: (upload: Upload | null, name: string) => void }) {
  const { t } = useTranslation();
  const [files, setFiles] = useState<File[]>([]);
  const [faults, setFaults] = useState<Upload['faults']>([]);
  const [failure, setFailure] = useState<string | null>(null);

  async function handleChange(next: File[]) {
    const file = next.at(-1);
    setFiles(file ? [file] : []);
    setFailure(null);
    setFaults([]);
    onRead(null, '');
    if (!file) return;
    try {
      const { readCsv } = await import('../../ui/csv/read-csv.ts');
      const upload = uploadOf(await readCsv(file, { rows: LOOKUP_TABLE_LIMITS.values }));
      setFaults(upload.faults);
      if (upload.faults.length === 0) onRead(upload, file.name);
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  const hidden = faults.length - SHOWN_FAULTS;
  return (
    <div>
      <FileDrop
        label={t('lookupTables.upload')}
        files={files}
        limits={LIMITS}
        types={TYPES}
        onChange={(next) => void handleChange(next)}
      />
      <p className={classes.note}>{t('lookupTables.uploadHelp')}</p>
      <Failure text={failure} />
      {faults.length > 0 ? (
        <div role="alert" className={classes.faults}>
          <p>{t('lookupTables.faulty', { count: faults.length })}</p>
          <ul>
            {faults.slice(0, SHOWN_FAULTS).map(({ kind, row, facts }) => (
              <li key={`${kind} ${row} ${JSON.stringify(facts)}`}>
                {row === null ? '' : `${t('lookupTables.row', { row })} `}
                {t(`lookupTables.faults.${kind}`, facts)}
              </li>
            ))}
          </ul>
          {hidden > 0 ? <p>{t('lookupTables.moreFaults', { count: hidden })}</p> : null}
        </div>
      ) : null}
    </div>
  );
}
