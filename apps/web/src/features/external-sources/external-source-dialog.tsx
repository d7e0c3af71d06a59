import {
  EXTERNAL_FORMATS,
  type ExternalKind,
  type ExternalPreview,
  type ExternalSource,
  type NewExternalSource,
  newExternalSource,
  type SavedExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import { Button, SegmentedControl, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { guessField } from '../../app/mapping/guess-field.ts';
import { MappingFields, type MappingInput } from '../../app/mapping/mapping-fields.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Revealed } from '../../ui/revealed.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import {
  BROKER_COLUMNS,
  BrokerFields,
  NO_SUBSCRIPTION,
  SPARKPLUG_MAPPING,
  SparkplugFields,
} from './broker-fields.tsx';
import classes from './external-sources.module.css';
import { previewExternalSource, saveExternalSource } from './external-sources.queries.ts';
import { HELP_BELOW } from './field-order.ts';
import { LookupFields, type LookupInput, NO_LOOKUP } from './lookup-fields.tsx';
import { FolderFields, MailboxFields, NO_FOLDER, NO_MAILBOX } from './place-fields.tsx';
import { PreviewTable } from './preview-table.tsx';
import { NO_PULL, PullFields } from './pull-fields.tsx';

type Input = z.input<typeof newExternalSource>;

const NO_MAPPING: MappingInput = {
  table: '',
  source: '',
  timeColumn: '',
  timeFormat: 'iso',
  timezone: 'UTC',
  fields: [],
};
const NEW: Input = {
  name: '',
  kind: 'pull',
  isEnabled: true,
  device: null,
  format: 'json',
  recordsPath: '',
  pull: NO_PULL,
  sftp: null,
  mailbox: null,
  subscription: null,
  secret: undefined,
  mapping: NO_MAPPING,
  lookup: null,
};
/** Stands for fields while there are none, so that a first look shows the columns. */
const PROBE = { column: 'probe', name: 'probe' };
const KINDS = ['pull', 'sftp', 'mail', 'push', 'mqtt'] as const;

interface DialogProps {
  source: ExternalSource | null;
  onToken: (saved: SavedExternalSource) => void;
  onClose: () => void;
}

/** Makes an external source, or changes one; what it would bring can be looked at before. */
export function ExternalSourceDialog({ source, onToken, onClose }: DialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const [preview, setPreview] = useState<ExternalPreview | null>(null);
  const [text, setText] = useState('');
  const { values, set, field, faultOf, faultsWithin, dialog } = useContractForm({
    schema: newExternalSource,
    initial: source ? { ...NEW, ...inputOf(source) } : NEW,
    refusals: {
      'external_source.name_taken': 'name',
      'device.name_taken': 'name',
    },
    send: async (body) => {
      const saved = await saveExternalSource(wg, source?._id ?? null, body);
      notifyDone(t('externalSources.saved', { name: saved.name }));
      onClose();
      if (saved.token !== null) onToken(saved);
    },
  });
  const { kind } = values;
  const [pull, sftp] = [values.pull ?? NO_PULL, values.sftp ?? NO_FOLDER];
  const [mailbox, subscription] = [values.mailbox ?? NO_MAILBOX, values.subscription ?? NO_SUBSCRIPTION];
  const mapping = values.mapping ?? NO_MAPPING;
  const lookup = values.lookup ?? null;
  const isSparkplug = kind === 'mqtt' && subscription.payload === 'sparkplug';
  const setMapping = (part: Partial<MappingInput>) => set({ mapping: { ...mapping, ...part } });
  const setLookup = (part: Partial<LookupInput>) => set({ lookup: { ...(lookup ?? NO_LOOKUP), ...part } });
  const look = useSubmit(async () => {
    const looked = lookedAt({ ...values, pull, sftp, mailbox, subscription, mapping, lookup });
    const sent = { ...looked, ...(kind === 'push' ? { text } : {}) } as NewExternalSource & { text?: string };
    const next = await previewExternalSource(wg, source?._id ?? null, sent);
    setPreview(next);
    // The fields may have changed meanwhile.
    set(({ kind: now, sftp: place, mapping: mapped, lookup: target }) => ({
      ...(now === 'sftp' && next.hostKey !== null && place?.address === sftp.address && !place.hostKey
        ? { sftp: { ...place, hostKey: next.hostKey } }
        : {}),
      ...(!target && (mapped?.timeColumn ?? '') === '' && next.timeColumn !== null
        ? { mapping: { ...(mapped ?? NO_MAPPING), ...timeOf(next) } }
        : {}),
    }));
  });
  const columns = preview?.columns ?? (kind === 'mqtt' ? BROKER_COLUMNS : []);
  const secrets = {
    secret: values.secret ?? '',
    secretFault: faultOf('secret'),
    hasSecret: source?.hasSecret ?? false,
    onSecret: (secret: string | undefined) => set({ secret } as Partial<Input>),
  };
  const place = { faults: faultsWithin(PLACES[kind]), ...secrets };
  /** A fault of a part that is not one of its fields'. */
  const faultOfWhole = (part: (typeof PARTS)[number]) =>
    Object.keys(faultsWithin(part)).length === 0 ? faultOf(part) : undefined;
  const isFirst = lookup
    ? lookup.valueColumn === '' || lookup.texts.length === 0
    : mapping.fields.length === 0 && !isSparkplug;

  return (
    <FormDialog
      {...dialog}
      size="xl"
      title={source ? t('externalSources.changeTitle', { name: source.name }) : t('externalSources.create')}
      failure={dialog.failure ?? PARTS.map(faultOfWhole).find(Boolean) ?? null}
      onClose={onClose}
    >
      <div className={classes.pair}>
        <TextInput {...field('name')} data-autofocus label={t('externalSources.name')} maxLength={80} />
        <Select
          label={t('externalSources.kind')}
          allowDeselect={false}
          data={KINDS.map((option) => ({ value: option, label: t(`externalSources.${option}`) }))}
          value={kind}
          onChange={(next) => {
            const isBroker = next === 'mqtt';
            set({
              kind: (next ?? 'pull') as ExternalKind,
              pull: next === 'pull' ? pull : null,
              sftp: next === 'sftp' ? sftp : null,
              mailbox: next === 'mail' ? mailbox : null,
              subscription: isBroker ? subscription : null,
              // Most files are CSV.
              ...((next === 'sftp' || next === 'mail') && kind === 'pull' ? { format: 'csv' as const } : {}),
              ...(isBroker ? { lookup: null, mapping } : {}),
            });
          }}
        />
      </div>
      {kind === 'pull' ? (
        <PullFields value={pull} onChange={(part) => set({ pull: { ...pull, ...part } })} {...place} />
      ) : kind === 'sftp' ? (
        <FolderFields
          value={sftp}
          onChange={(part) =>
            set({
              sftp: { ...sftp, ...part },
              ...('hostKey' in part ? { forgetHostKey: part.hostKey === null } : {}),
            })
          }
          {...place}
        />
      ) : kind === 'mail' ? (
        <MailboxFields
          value={mailbox}
          onChange={(part) => set({ mailbox: { ...mailbox, ...part } })}
          {...place}
        />
      ) : kind === 'mqtt' ? (
        <BrokerFields
          value={subscription}
          {...place}
          onChange={(part) => {
            set({ subscription: { ...subscription, ...part } });
            if (part.payload === 'sparkplug') setMapping(SPARKPLUG_MAPPING);
          }}
        />
      ) : (
        <Textarea
          label={t('externalSources.sampleText')}
          description={t('externalSources.sampleTextHelp')}
          rows={3}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {kind === 'mqtt' && subscription.payload !== 'records' ? null : (
        <div className={classes.pair}>
          <Select
            label={t('externalSources.format')}
            allowDeselect={false}
            data={EXTERNAL_FORMATS.map((format) => ({ value: format, label: format.toUpperCase() }))}
            value={values.format ?? 'json'}
            onChange={(format) => set({ format: (format ?? 'json') as Input['format'] })}
          />
          {values.format === 'csv' ? null : (
            <TextInput
              label={t('externalSources.recordsPath')}
              description={t('externalSources.recordsPathHelp')}
              inputWrapperOrder={HELP_BELOW}
              value={values.recordsPath ?? ''}
              onChange={(event) => set({ recordsPath: event.currentTarget.value })}
            />
          )}
        </div>
      )}
      <div>
        <Button
          variant="default"
          loading={look.isWorking}
          disabled={!isReady(kind, { pull, sftp, mailbox, subscription, text })}
          onClick={(event) => void look.handleSubmit(event)}
        >
          {t('externalSources.try')}
        </Button>
        <p className={classes.note}>
          {t(kind === 'mqtt' ? 'externalSources.tryBroker' : 'externalSources.tryHelp')}
        </p>
      </div>
      <Failure text={look.failure} />
      {preview ? (
        <Revealed of={preview}>
          <PreviewTable
            preview={preview}
            timezone={mapping.timezone ?? 'UTC'}
            isCsv={values.format === 'csv'}
            isFirst={isFirst}
          />
        </Revealed>
      ) : null}
      {kind === 'mqtt' ? null : (
        <SegmentedControl
          aria-label={t('externalSources.becomes')}
          data={[
            { value: 'events', label: t('externalSources.becomesEvents') },
            { value: 'lookup', label: t('externalSources.becomesLookup') },
          ]}
          value={lookup ? 'lookup' : 'events'}
          onChange={(next) =>
            set(
              next === 'lookup'
                ? { lookup: NO_LOOKUP, mapping: null }
                : { lookup: null, mapping: NO_MAPPING },
            )
          }
        />
      )}
      {lookup ? (
        <LookupFields value={lookup} faults={faultsWithin('lookup')} columns={columns} onChange={setLookup} />
      ) : (
        <>
          <Select
            label={t('externalSources.device')}
            searchable
            clearable
            placeholder={t('externalSources.newDevice')}
            data={devices.map(({ id, name }) => ({ value: id, label: name }))}
            value={values.device ?? null}
            error={faultOf('device')}
            onChange={(device) => set({ device })}
          />
          {isSparkplug ? (
            <SparkplugFields
              value={mapping}
              faults={faultsWithin('mapping')}
              columns={preview?.columns ?? []}
              onChange={setMapping}
            />
          ) : (
            <MappingFields
              value={mapping}
              faults={faultsWithin('mapping')}
              columns={columns}
              guess={(column) => guessIn(preview, column)}
              onChange={setMapping}
            />
          )}
        </>
      )}
      <Switch
        label={t('externalSources.enabled')}
        checked={values.isEnabled ?? true}
        onChange={(event) => set({ isEnabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

/** Parts of a source that have fields of their own. */
const PARTS = ['mapping', 'lookup', 'pull', 'sftp', 'mailbox', 'subscription'] as const;
/** What each kind has its address in; what is pushed to us has none. */
const PLACES = { pull: 'pull', sftp: 'sftp', mail: 'mailbox', mqtt: 'subscription', push: 'pull' } as const;

type Places = Required<Pick<Input, 'pull' | 'sftp' | 'mailbox' | 'subscription'>>;

function isReady(
  kind: ExternalKind,
  { pull, sftp, mailbox, subscription, text }: Places & { text: string },
): boolean {
  if (kind === 'pull') return pull?.address !== '';
  if (kind === 'sftp') return sftp?.address !== '' && sftp?.user !== '';
  if (kind === 'mail') return mailbox?.address !== '' && mailbox?.user !== '';
  if (kind === 'mqtt') return subscription?.address !== '' && (subscription?.topics.length ?? 0) > 0;
  return text !== '';
}

/** The body for a preview, with placeholders for what is not chosen yet. */
function lookedAt({ pull, sftp, mailbox, subscription, mapping, lookup, ...values }: Input & Places): Input {
  const { kind } = values;
  const isSparkplug = kind === 'mqtt' && subscription?.payload === 'sparkplug';
  return {
    ...values,
    name: values.name || 'preview',
    pull: kind === 'pull' ? pull : null,
    sftp: kind === 'sftp' ? sftp : null,
    mailbox: kind === 'mail' ? mailbox : null,
    subscription: kind === 'mqtt' ? subscription : null,
    lookup: lookup
      ? {
          ...lookup,
          table: lookup.table || crypto.randomUUID(),
          valueColumn: lookup.valueColumn || 'value',
          texts: lookup.texts.length > 0 ? lookup.texts : [{ column: PROBE.column, code: PROBE.name }],
        }
      : null,
    mapping:
      lookup || !mapping
        ? null
        : {
            ...mapping,
            table: mapping.table || 'preview',
            source: mapping.source || 'preview',
            timeColumn: mapping.timeColumn || 'time',
            fields: mapping.fields.length > 0 || isSparkplug ? mapping.fields : [PROBE],
          },
  };
}

/** The time column of the data and its likely format. */
function timeOf({ timeColumn, profiles }: ExternalPreview): Partial<MappingInput> {
  const format = profiles.find(({ name }) => name === timeColumn)?.timeFormat;
  return {
    timeColumn: timeColumn ?? '',
    ...(format && format !== 'unclear' ? { timeFormat: format } : {}),
  };
}

function guessIn(preview: ExternalPreview | null, column: string): Partial<MappingInput['fields'][number]> {
  const profile = preview?.profiles.find(({ name }) => name === column);
  return profile ? guessField(column, profile, { isWhole: true }) : {};
}

/** What can be changed of a known source. */
function inputOf({ name, kind, isEnabled, device, format, recordsPath, ...source }: ExternalSource): Input {
  const { mapping, lookup, pull, sftp, mailbox, subscription } = source;
  const place = { pull, sftp, mailbox, subscription };
  return { name, kind, isEnabled, device, format, recordsPath, mapping, lookup, ...place };
}
