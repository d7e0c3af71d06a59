import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useAttempt, useSubmit } from '../../app/use-submit.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type RowFault, stepsFromCsv } from './schedule-csv.ts';
import classes from './schedules.module.css';
import { StepChart } from './step-chart.tsx';
import type { Step } from './steps.ts';
import { axisOf, valueText } from './values.ts';
import { dayAndClock } from './when-text.ts';

const BYTES = 2_000_000;
const LIMITS = { count: 1, fileBytes: BYTES, totalBytes: BYTES };

interface CsvDialogProps {
  kind: SetpointKind;
  zone: string;
  onTake: (steps: Step[]) => void;
  onClose: () => void;
}

/** Takes a file in place of all steps, after a look at it; what is wrong names its row, and nothing is taken then. */
export function CsvDialog({ kind, zone, onTake, onClose }: CsvDialogProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const [file, setFile] = useState<File | null>(null);
  const [read, setRead] = useState<{ steps: Step[]; faults: RowFault[] } | null>(null);
  const look = useAttempt();
  const take = (next: File | null) => {
    setFile(next);
    setRead(null);
    if (next) void look.attempt(async () => setRead(await stepsFromCsv(t, next, kind, zone)));
  };
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    if (!read) return;
    onTake(read.steps);
    onClose();
  });
  const [first, last] = [read?.steps[0]?.at, read?.steps.at(-1)?.at];
  return (
    <FormDialog
      size="lg"
      title={t('schedules.csv.in')}
      submit={t('schedules.csv.take')}
      isWorking={isWorking || look.isWorking}
      isDisabled={!read || read.steps.length === 0}
      failure={failure ?? look.failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('schedules.csv.text', { zone })}
      </Text>
      <FileDrop
        label={t('schedules.csv.choose')}
        files={file ? [file] : []}
        limits={LIMITS}
        onChange={(files) => take(files.at(-1) ?? null)}
      />
      {read && read.faults.length > 0 ? (
        <div role="alert" className={classes.faults}>
          {read.faults.map(({ row, text }) => (
            <p key={`${row} ${text}`}>{row === null ? text : t('schedules.csv.row', { row, text })}</p>
          ))}
        </div>
      ) : null}
      {read && first !== undefined && last !== undefined ? (
        <div role="status">
          <Text size="sm">
            {t('schedules.csv.found', {
              count: read.steps.length,
              first: dayAndClock(first, zone),
              last: dayAndClock(last, zone),
            })}
          </Text>
          <StepChart
            label={t('schedules.csv.preview')}
            axis={axisOf(
              t,
              kind,
              read.steps.map(({ value }) => value),
            )}
            zone={zone}
            now={now}
            view={{ from: first - 3_600_000, to: last + 3_600_000 }}
            lines={[{ name: '', steps: read.steps, end: null }]}
            textOf={(value) => valueText(t, kind, value)}
            height={150}
          />
        </div>
      ) : null}
    </FormDialog>
  );
}
