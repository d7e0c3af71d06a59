import {
  type AskedLayout,
  type HistoryImport,
  type HistoryPlan,
  type HistoryPreview,
  historyPlan,
} from '@albedo/contract/history-imports/history-imports.schema';
import { Autocomplete, Button, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { deviceZone } from '../../app/device-zone.ts';
import { guessField } from '../../app/mapping/guess-field.ts';
import { MappingFields, type MappingInput } from '../../app/mapping/mapping-fields.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { Revealed } from '../../ui/revealed.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { deviceListQuery, deviceQuery } from '../devices/devices.queries.ts';
import { EventsTable } from './events-table.tsx';
import { FirstRecords } from './first-records.tsx';
import { firstPlan, guessTimeFormat } from './guess-plan.ts';
import classes from './history-imports.module.css';
import { previewHistory, startHistory } from './history-imports.queries.ts';
import { LayoutSection } from './layout-section.tsx';

type Input = z.input<typeof historyPlan>;

/** Says what the records of a file become, shows it, and begins the import. */
export function PlanDialog({ file, onClose }: { file: HistoryImport; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [layout, setLayout] = useState<AskedLayout | null>(file.plan?.layout ?? null);
  const { data, error, refetch } = useQuery({
    queryKey: ['history-import-beginning', wg, file._id, layout],
    queryFn: () => previewHistory(wg, file._id, null, layout),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  if (data && !error) return <PlanForm file={file} beginning={data} onLayout={setLayout} onClose={onClose} />;
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
        <ErrorState
          title={t('historyImports.unreadable')}
          error={error}
          onRetry={() => (layout ? setLayout(null) : void refetch())}
        />
      ) : (
        <FormSkeleton fields={2} />
      )}
    </FormDialog>
  );
}

interface PlanFormProps {
  file: HistoryImport;
  beginning: HistoryPreview;
  onLayout: (layout: AskedLayout) => void;
  onClose: () => void;
}

function PlanForm({ file, beginning, onLayout, onClose }: PlanFormProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const [preview, setPreview] = useState<HistoryPreview | null>(null);
  const { values, set, faultOf, dialog } = useContractForm({
    schema: historyPlan,
    initial: (file.plan as Input | null) ?? firstPlan(file, beginning, userZone()),
    send: async (given) => {
      const plan = { ...given, layout: beginning.layout };
      const [unclear] = unclearIn(plan, beginning);
      if (unclear) throw new UnclearFile(unclear);
      await startHistory(wg, file._id, plan);
      notifyDone(t('historyImports.started', { name: file.name }));
      onClose();
    },
    wordsFor: (error) =>
      error instanceof UnclearFile
        ? t(
            error.ask.what === 'decimal' ? 'historyImports.unclearDecimal' : 'historyImports.unclearTime',
            error.ask,
          )
        : messageOf(error),
  });
  const { mapping, deviceColumn, tableColumn } = values;
  const plan = historyPlan.safeParse({ ...values, layout: beginning.layout });
  const look = useSubmit(async () => {
    if (plan.success) setPreview(await previewHistory(wg, file._id, plan.data));
  });
  const [hasZone, setHasZone] = useState(file.plan !== null);
  const seen = useRef(beginning);
  // Reading the file in another way makes other columns of it.
  useEffect(() => {
    if (seen.current === beginning) return;
    seen.current = beginning;
    setPreview(null);
    const again = firstPlan(file, beginning, userZone());
    const fields = mapping.fields.filter(({ column }) => beginning.columns.includes(column));
    set({ mapping: { ...again.mapping, ...kept(mapping), fields } });
  }, [beginning, file, mapping, set]);
  const { columns } = beginning;
  const profileOf = (column: string) => beginning.profiles.find(({ name }) => name === column);
  /** Another column may have its times written in another way. */
  const guessed = ({ timeColumn }: Partial<MappingInput>): Partial<MappingInput> => {
    const timeFormat = timeColumn === undefined ? undefined : guessTimeFormat(beginning, timeColumn);
    // What can be read in two ways is left to choose.
    return timeFormat === undefined ? {} : ({ timeFormat } as Partial<MappingInput>);
  };
  const isText = file.format === 'csv' || file.format === 'xlsx';
  const unclear = unclearIn({ mapping }, beginning);
  /** The zone of the device is that of its times, unless somebody chose another one. */
  const { data: chosen } = useQuery({
    ...deviceQuery(wg, values.device ?? ''),
    enabled: Boolean(values.device),
  });
  const siteZone = chosen ? deviceZone(chosen) : null;
  useEffect(() => {
    if (siteZone && !hasZone && siteZone !== mapping.timezone)
      set({ mapping: { ...mapping, timezone: siteZone } });
  }, [siteZone, hasZone, mapping, set]);
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
      <LayoutSection
        beginning={beginning}
        isSheet={file.format === 'xlsx'}
        isOpen={beginning.looked === 0}
        onChange={onLayout}
      />
      {beginning.looked === 0 ? (
        <EmptyState
          title={t('historyImports.empty')}
          text={t('historyImports.emptyText', { line: beginning.layout?.headers.join(', ') || NO_VALUE })}
        />
      ) : (
        <FirstRecords beginning={beginning} />
      )}
      {beginning.looked > 0 && beginning.timeColumn === null && mapping.timeColumn === '' ? (
        <Failure text={t('historyImports.noTime')} />
      ) : null}
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
          description={t(`historyImports.existingHelp.${values.existing ?? 'skip'}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={(['skip', 'replace', 'add'] as const).map((one) => ({
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
        guess={(column) => guessField(column, profileOf(column), beginning)}
        formatHint={t('historyImports.formatByValues')}
        formatError={
          unclear.some(({ what }) => what === 'timeFormat') ? t('historyImports.unclearTime') : undefined
        }
        {...(isText
          ? {
              decimals: ({ column }) =>
                unclear.find((one) => one.column === column && one.what === 'decimal')?.example,
            }
          : {})}
        onChange={(part: Partial<MappingInput>) => {
          if (part.timezone !== undefined) setHasZone(true);
          set({ mapping: { ...mapping, ...guessed(part), ...part } });
        }}
      />
      {unclear.map(({ what, column, example }) =>
        what === 'decimal' ? (
          <Failure key={column} text={t('historyImports.unclearDecimal', { column, example })} />
        ) : null,
      )}
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
            existing={values.existing ?? 'skip'}
            deviceName={(id) => devices.find((one) => one.id === id)?.name ?? id}
          />
        </Revealed>
      ) : null}
    </FormDialog>
  );
}

/** What stays of a mapping when the file is read in another way. */
const kept = ({ table, source, timezone, standardTime }: Input['mapping']) => ({
  table,
  source,
  timezone,
  standardTime,
});

/** What can be read in two ways, and was not chosen. */
function unclearIn(
  { mapping }: Pick<Input, 'mapping'>,
  { profiles }: HistoryPreview,
): HistoryPreview['asks'] {
  const example = (column: string) => profiles.find(({ name }) => name === column)?.example ?? '';
  const numbers = mapping.fields.filter(
    ({ column, decimal, type = 'decimal' }) =>
      !decimal &&
      (type === 'decimal' || type === 'integer') &&
      profiles.some((one) => one.name === column && one.decimal === 'unclear'),
  );
  return [
    ...(mapping.timeFormat === null &&
    profiles.some((one) => one.name === mapping.timeColumn && one.timeFormat === 'unclear')
      ? [{ what: 'timeFormat' as const, column: mapping.timeColumn, example: example(mapping.timeColumn) }]
      : []),
    ...numbers.map(({ column }) => ({ what: 'decimal' as const, column, example: example(column) })),
  ];
}

/** Something has to be chosen first; the sentence is for people. */
class UnclearFile extends Error {
  readonly ask: HistoryPreview['asks'][number];

  constructor(ask: HistoryPreview['asks'][number]) {
    super(ask.column);
    this.ask = ask;
  }
}
