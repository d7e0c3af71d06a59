import { METADATA_FILE } from '@albedo/contract/metadata/metadata.names';
import type { InfoLevel, MetadataFile, MetadataPlan } from '@albedo/contract/metadata/metadata.schema';
import { Loader, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { knownFailureText } from '../../app/i18n.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt, useSubmit } from '../../app/use-submit.ts';
import { type CsvFault, readCsv } from '../../ui/csv/read-csv.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import classes from './metadata.module.css';
import { importMetadata, previewMetadata } from './metadata.queries.ts';
import { asSent } from './metadata-file.ts';

const LIMITS = { count: 1, fileBytes: METADATA_FILE.bytes, totalBytes: METADATA_FILE.bytes };

/** Between what stood and what will stand. */
const ARROW = '→';

/** Changes that are shown one by one; the rest is counted. */
const SHOWN = 50;

/** What is known of a file: either what keeps it from being read, or what it would do. */
interface Read {
  file: MetadataFile;
  unread: readonly CsvFault[];
  plan: MetadataPlan | null;
}

/** Reads metadata from a file, shows what it would do, and does all of it. */
export function FileDialog({ level, onClose }: { level: InfoLevel; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [files, setFiles] = useState<File[]>([]);
  const [read, setRead] = useState<Read | null>(null);
  const reading = useAttempt();

  function take(taken: File[]): void {
    setFiles(taken);
    setRead(null);
    const [chosen] = taken;
    if (!chosen) return;
    void reading.attempt(async () => {
      const table = await readCsv(chosen, { rows: METADATA_FILE.rows });
      const file = asSent(level, table);
      const plan = table.faults.length > 0 ? null : await previewMetadata(wg, file);
      setRead({ file, unread: table.faults, plan });
    });
  }

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    if (!read) return;
    const { changed } = await importMetadata(wg, read.file);
    notifyDone(t(`metadata.${level}.imported`, { count: changed }));
    onClose();
  });
  const isReady = read?.plan?.faultCount === 0 && read.plan.values > 0;
  return (
    <FormDialog
      title={t(`metadata.${level}.upload`)}
      submit={t('metadata.apply')}
      size="lg"
      isWorking={isWorking}
      isDisabled={!isReady}
      failure={failure ?? reading.failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <p className={classes.help}>{t(`metadata.${level}.uploadHelp`)}</p>
      <FileDrop label={t('metadata.file')} files={files} onChange={take} limits={LIMITS} />
      <div aria-live="polite" className={classes.plan}>
        {reading.isWorking ? <Loader size="sm" aria-label={t('metadata.reading')} /> : null}
        {read && read.unread.length > 0 ? <Unread faults={read.unread} /> : null}
        {read?.plan ? <Plan level={level} plan={read.plan} /> : null}
      </div>
    </FormDialog>
  );
}

function Unread({ faults }: { faults: readonly CsvFault[] }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.faults} aria-label={t('metadata.faults')}>
      {faults.slice(0, SHOWN).map(({ kind, row, facts }) => (
        <li key={`${row} ${kind}`}>
          {row === null ? '' : `${t('metadata.row', { row })} `}
          {t(`entities.csvFault.${kind}`, { ...facts })}
        </li>
      ))}
    </ul>
  );
}

function Plan({ level, plan }: { level: InfoLevel; plan: MetadataPlan }) {
  const { t } = useTranslation();
  const { rows, changed, values, faults, faultCount, changes, moves } = plan;
  if (faultCount > 0) {
    return (
      <>
        <Text size="sm" fw={600}>
          {t('metadata.faulty', { count: faultCount })}
        </Text>
        <ul className={classes.faults} aria-label={t('metadata.faults')}>
          {faults.slice(0, SHOWN).map(({ row, message, issue, facts }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row can have several faults of a kind, and none moves.
            <li key={at}>
              {row === null ? '' : `${t('metadata.row', { row })} `}
              {knownFailureText(issue, message, facts)}
            </li>
          ))}
        </ul>
      </>
    );
  }
  if (values === 0) return <Text size="sm">{t('metadata.same', { count: rows })}</Text>;
  return (
    <>
      <Text size="sm" fw={600}>
        {t(`metadata.${level}.plan`, { count: changed, values: t('metadata.values', { count: values }) })}
      </Text>
      {moves.map(({ group, gains, loses }) => (
        <div key={group} className={classes.moves}>
          <Text size="sm">{t('metadata.group', { group })}</Text>
          <ul className={classes.faults}>
            {[
              { key: 'gains', ...gains },
              { key: 'loses', ...loses },
            ].map(({ key, count, names }) =>
              count === 0 ? null : (
                <li key={key}>
                  {t(key === 'gains' ? 'metadata.gains' : 'metadata.loses', {
                    count,
                    names: `${names.slice(0, 5).join(', ')}${count > 5 ? ' …' : ''}`,
                  })}
                </li>
              ),
            )}
          </ul>
        </div>
      ))}
      <ul className={classes.changes} aria-label={t('metadata.changes')}>
        {changes.slice(0, SHOWN).map(({ id, name, source, field, before, after }) => (
          <li key={`${id} ${source} ${field}`}>
            <span className={classes.use}>
              {source === '' ? name : `${name} / ${source}`} · {field}
            </span>
            <span>
              {before === '' ? t('metadata.nothing') : <del>{before}</del>} {ARROW} <ins>{after}</ins>
            </span>
          </li>
        ))}
      </ul>
      {values > SHOWN ? (
        <p className={classes.help}>
          {t('metadata.more', { count: values - Math.min(SHOWN, changes.length) })}
        </p>
      ) : null}
    </>
  );
}
