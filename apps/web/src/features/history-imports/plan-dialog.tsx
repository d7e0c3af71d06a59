import {
  type HistoryImport,
  type HistoryPlan,
  type HistoryPreview,
  historyPlan,
} from '@albedo/contract/history-imports/history-imports.schema';
import { Autocomplete, Button, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { MappingFields, type MappingInput } from '../../app/mapping/mapping-fields.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Revealed } from '../../ui/revealed.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { EventsTable } from './events-table.tsx';
import { FirstRecords } from './first-records.tsx';
import { firstPlan, guessField, guessTimeFormat, textsOf } from './guess-plan.ts';
import classes from './history-imports.module.css';
import { previewHistory, startHistory } from './history-imports.queries.ts';

type Input = z.input<typeof historyPlan>;

/** Says what the records of a file become, shows it, and begins the import. */
export function PlanDialog({ file, onClose }: { file: HistoryImport; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery({
    queryKey: ['history-import-beginning', wg, file._id],
    queryFn: () => previewHistory(wg, file._id, null),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <PlanForm file={file} beginning={data} onClose={onClose} />;
  return (
    <FormDialog
      title={file.name}
      submit={t('historyImports.start')}
      isWorking={false}
      isDisabled
      failure={null}
      onSubmit={(event) => event.preventDefault()}
      onClose={onClose}
    >
      {error ? (
        <ErrorState title={t('historyImports.unreadable')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={160} />
      )}
    </FormDialog>
  );
}

interface PlanFormProps {
  file: HistoryImport;
  beginning: HistoryPreview;
  onClose: () => void;
}

function PlanForm({ file, beginning, onClose }: PlanFormProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const [preview, setPreview] = useState<HistoryPreview | null>(null);
  const { values, set, faultOf, dialog } = useContractForm({
    schema: historyPlan,
    initial: (file.plan as Input | null) ?? firstPlan(file, beginning),
    send: async (plan) => {
      await startHistory(wg, file._id, plan);
      notifyDone(t('historyImports.started', { name: file.name }));
      onClose();
    },
  });
  const { mapping, deviceColumn, tableColumn } = values;
  const plan = historyPlan.safeParse(values);
  const look = useSubmit(async () => {
    if (plan.success) setPreview(await previewHistory(wg, file._id, plan.data));
  });
  const { columns } = beginning;
  /** Another column may have its times written in another way. */
  const guessed = ({ timeColumn }: Partial<MappingInput>): Partial<MappingInput> => {
    const timeFormat = timeColumn === undefined ? null : guessTimeFormat(textsOf(beginning, timeColumn));
    return timeFormat && file.format !== 'lines' ? { timeFormat } : {};
  };
  const wrong = faultOf('mapping');
  const noFields = wrong && mapping.fields.length === 0 ? t('historyImports.noFields') : undefined;
  const choices = devices.map(({ id, name }) => ({ value: id, label: name }));
  const unknown = (preview?.devices ?? []).filter(
    ({ text, device }) => device === null || Object.hasOwn(values.devices ?? {}, text),
  );
  return (
    <FormDialog
      {...dialog}
      size="xl"
      title={t('historyImports.planTitle', { name: file.name })}
      submit={t('historyImports.start')}
      failure={dialog.failure ?? noFields ?? wrong ?? null}
      onClose={onClose}
    >
      <FirstRecords beginning={beginning} />
      <div className={classes.pair}>
        <Select
          label={t('historyImports.device')}
          searchable
          clearable
          data={choices}
          limit={100}
          value={values.device ?? null}
          error={faultOf('device')}
          disabled={Boolean(deviceColumn)}
          onChange={(device) => set({ device })}
        />
        <Autocomplete
          label={t('historyImports.deviceColumn')}
          description={t('historyImports.deviceColumnHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={columns}
          value={deviceColumn ?? ''}
          onChange={(column) =>
            set({ deviceColumn: column || null, device: column ? null : (values.device ?? null) })
          }
        />
        <Autocomplete
          label={t('historyImports.tableColumn')}
          description={t('historyImports.tableColumnHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={columns}
          value={tableColumn ?? ''}
          onChange={(column) => set({ tableColumn: column || null })}
        />
        <Select
          label={t('historyImports.existing')}
          allowDeselect={false}
          data={(['skip', 'add'] as const).map((one) => ({
            value: one,
            label: t(`historyImports.existingChoices.${one}`),
          }))}
          value={values.existing ?? 'skip'}
          onChange={(next) => set({ existing: (next ?? 'skip') as HistoryPlan['existing'] })}
        />
      </div>
      <MappingFields
        value={{ ...mapping, source: mapping.source ?? '' }}
        columns={columns}
        guess={(column) => guessField(column, textsOf(beginning, column))}
        onChange={(part: Partial<MappingInput>) =>
          set({ mapping: { ...mapping, ...guessed(part), ...part } })
        }
      />
      {unknown.map(({ text }) => (
        <Select
          key={text}
          label={t('historyImports.deviceNamed', { text: text || '–' })}
          searchable
          clearable
          data={choices}
          value={values.devices?.[text] ?? null}
          onChange={(device) => {
            const { [text]: _, ...others } = values.devices ?? {};
            set({ devices: device === null ? others : { ...others, [text]: device } });
          }}
        />
      ))}
      <div>
        <Button
          variant="default"
          loading={look.isWorking}
          onClick={(event) => void (plan.success ? look.handleSubmit(event) : dialog.onSubmit(event))}
        >
          {t('historyImports.look')}
        </Button>
      </div>
      <Failure text={look.failure} />
      {preview ? (
        <Revealed of={preview}>
          <EventsTable
            preview={preview}
            timezone={mapping.timezone ?? 'UTC'}
            deviceName={(id) => devices.find((one) => one.id === id)?.name ?? id}
          />
        </Revealed>
      ) : null}
    </FormDialog>
  );
}
