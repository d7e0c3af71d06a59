import { ENTITY_LIMITS, type Entity } from '@albedo/contract/entities/entities.schema';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { readCsv } from '../../ui/csv/read-csv.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type CsvPlan, planCsv } from './csv-plan.ts';
import classes from './entities.module.css';
import { changeEntities, createEntities } from './entities.queries.ts';

const LIMITS = { count: 1, fileBytes: 5_000_000, totalBytes: 5_000_000 };

/** Reads entities from a file, shows what it would do, and does it. */
export function CsvDialog({ entities, onClose }: { entities: readonly Entity[]; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [files, setFiles] = useState<File[]>([]);
  const [plan, setPlan] = useState<CsvPlan | null>(null);

  async function take(taken: File[]): Promise<void> {
    setFiles(taken);
    const [file] = taken;
    setPlan(file ? planCsv(await readCsv(file, { rows: ENTITY_LIMITS.changes }), entities) : null);
  }

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    if (!plan) return;
    if (plan.create.length > 0) await createEntities(wg, plan.create);
    if (plan.change.length > 0) await changeEntities(wg, plan.change);
    notifyDone(t('entities.saved', { count: plan.create.length + plan.change.length }));
    onClose();
  });
  const isReady = plan !== null && plan.faults.length === 0 && plan.create.length + plan.change.length > 0;

  return (
    <FormDialog
      title={t('entities.csvIn')}
      submit={t('entities.csvApply')}
      isWorking={isWorking}
      isDisabled={!isReady}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <p className={classes.note}>{t('entities.csvHelp')}</p>
      <FileDrop
        label={t('entities.csvFile')}
        files={files}
        onChange={(taken) => void take(taken)}
        limits={LIMITS}
      />
      {plan ? (
        <p aria-live="polite">
          {t('entities.csvNew', { count: plan.create.length })}{' '}
          {t('entities.csvChanged', { count: plan.change.length })}
        </p>
      ) : null}
      {plan && plan.faults.length > 0 ? (
        <ul className={classes.list} aria-label={t('entities.csvFaults')}>
          {plan.faults.slice(0, 50).map(({ row, kind, facts }) => (
            <li key={`${row} ${kind}`}>
              {row === null ? '' : `${t('entities.csvRow', { row })} `}
              {t(`entities.csvFault.${kind}`, { ...facts, defaultValue: t('entities.csvFault.other') })}
            </li>
          ))}
        </ul>
      ) : null}
    </FormDialog>
  );
}
