import {
  type Credential,
  type ExternalSource,
  type NewExternalSource,
  newExternalSource,
  PULL_MINUTES,
  type SavedExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import type { MappedPreview } from '@albedo/contract/mapping/mapping.schema';
import { Button, PasswordInput, SegmentedControl, Select, Switch, Textarea, TextInput } from '@mantine/core';
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
import { PreviewTable } from './preview-table.tsx';

type Input = z.input<typeof newExternalSource>;
type PullInput = NonNullable<Input['pull']>;

const NO_PULL: PullInput = { address: '', everyMinutes: 15, credential: { kind: 'none' } };
const NEW: Input = {
  name: '',
  kind: 'pull',
  isEnabled: true,
  device: null,
  format: 'json',
  recordsPath: '',
  pull: NO_PULL,
  subscription: null,
  secret: undefined,
  mapping: { table: '', source: '', timeColumn: '', timeFormat: 'iso', timezone: 'UTC', fields: [] },
};
/** Stands for fields while there are none, so that a first look shows the columns. */
const PROBE = { column: 'probe', name: 'probe' };

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
  const [preview, setPreview] = useState<MappedPreview | null>(null);
  const [text, setText] = useState('');
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: newExternalSource,
    initial: source ? { ...NEW, ...inputOf(source) } : NEW,
    refusals: {
      'external_source.name_taken': 'name',
      'device.name_taken': 'name',
    },
    send: async (wanted) => {
      const saved = await saveExternalSource(wg, source?._id ?? null, wanted);
      notifyDone(t('externalSources.saved', { name: saved.name }));
      onClose();
      if (saved.token !== null) onToken(saved);
    },
  });
  const { mapping, kind } = values;
  const subscription = values.subscription ?? NO_SUBSCRIPTION;
  const isSparkplug = kind === 'mqtt' && subscription.payload === 'sparkplug';
  const pull = values.pull ?? NO_PULL;
  const setPull = (part: Partial<PullInput>) => set({ pull: { ...pull, ...part } });
  const setMapping = (part: Partial<MappingInput>) => set({ mapping: { ...mapping, ...part } });
  const look = useSubmit(async () => {
    const wanted = {
      ...values,
      pull: kind === 'pull' ? pull : null,
      subscription: kind === 'mqtt' ? subscription : null,
      name: values.name || 'preview',
      mapping: {
        ...mapping,
        table: mapping.table || 'preview',
        source: mapping.source || 'preview',
        timeColumn: mapping.timeColumn || 'time',
        fields: mapping.fields.length > 0 || isSparkplug ? mapping.fields : [PROBE],
      },
      ...(kind === 'push' ? { text } : {}),
    };
    setPreview(await previewExternalSource(wg, source?._id ?? null, wanted as NewExternalSource));
  });
  const isPull = kind === 'pull';

  return (
    <FormDialog
      {...dialog}
      size="xl"
      title={source ? t('externalSources.changeTitle', { name: source.name }) : t('externalSources.create')}
      failure={dialog.failure ?? faultOf('mapping') ?? faultOf('pull') ?? faultOf('subscription') ?? null}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t('externalSources.kind')}
        data={[
          { value: 'pull', label: t('externalSources.pull') },
          { value: 'push', label: t('externalSources.push') },
          { value: 'mqtt', label: t('externalSources.mqtt') },
        ]}
        value={kind}
        onChange={(next) =>
          set({
            kind: next as Input['kind'],
            pull: next === 'pull' ? pull : null,
            subscription: next === 'mqtt' ? subscription : null,
          })
        }
      />
      <div className={classes.pair}>
        <TextInput {...field('name')} data-autofocus label={t('externalSources.name')} maxLength={80} />
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
      </div>
      {isPull ? (
        <>
          <TextInput
            label={t('externalSources.address')}
            description={t('externalSources.addressHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={pull.address}
            onChange={(event) => setPull({ address: event.currentTarget.value })}
          />
          <div className={classes.pair}>
            <Select
              label={t('externalSources.how')}
              allowDeselect={false}
              data={PULL_MINUTES.map((count) => ({
                value: String(count),
                label: t('externalSources.every', { count }),
              }))}
              value={String(pull.everyMinutes ?? 15)}
              onChange={(next) => setPull({ everyMinutes: Number(next) as PullInput['everyMinutes'] })}
            />
            <CredentialKind
              value={pull.credential ?? { kind: 'none' }}
              onChange={(credential) => setPull({ credential })}
            />
          </div>
          {pull.credential && pull.credential.kind !== 'none' ? (
            <div className={classes.pair}>
              {pull.credential.kind === 'basic' ? (
                <TextInput
                  label={t('externalSources.user')}
                  autoComplete="off"
                  value={pull.credential.user}
                  onChange={(event) =>
                    setPull({ credential: { kind: 'basic', user: event.currentTarget.value } })
                  }
                />
              ) : null}
              {pull.credential.kind === 'header' ? (
                <TextInput
                  label={t('externalSources.header')}
                  autoComplete="off"
                  value={pull.credential.header}
                  onChange={(event) =>
                    setPull({ credential: { kind: 'header', header: event.currentTarget.value } })
                  }
                />
              ) : null}
              <PasswordInput
                label={t('externalSources.secret')}
                description={source?.hasSecret ? t('externalSources.secretKept') : undefined}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                autoComplete="new-password"
                value={values.secret ?? ''}
                error={faultOf('secret')}
                onChange={(event) =>
                  set({ secret: event.currentTarget.value || undefined } as Partial<Input>)
                }
              />
            </div>
          ) : null}
        </>
      ) : kind === 'mqtt' ? (
        <BrokerFields
          value={subscription}
          secret={values.secret ?? ''}
          secretFault={faultOf('secret')}
          hasSecret={source?.hasSecret ?? false}
          onChange={(part) => {
            set({ subscription: { ...subscription, ...part } });
            if (part.payload === 'sparkplug') setMapping(SPARKPLUG_MAPPING);
          }}
          onSecret={(secret) => set({ secret } as Partial<Input>)}
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
            data={[
              { value: 'json', label: 'JSON' },
              { value: 'csv', label: 'CSV' },
            ]}
            value={values.format ?? 'json'}
            onChange={(format) => set({ format: (format ?? 'json') as 'json' | 'csv' })}
          />
          {values.format === 'json' ? (
            <TextInput
              label={t('externalSources.recordsPath')}
              value={values.recordsPath ?? ''}
              onChange={(event) => set({ recordsPath: event.currentTarget.value })}
            />
          ) : null}
        </div>
      )}
      {isSparkplug ? (
        <SparkplugFields value={mapping} columns={preview?.columns ?? []} onChange={setMapping} />
      ) : (
        <MappingFields
          value={mapping}
          columns={preview?.columns ?? (kind === 'mqtt' ? BROKER_COLUMNS : [])}
          onChange={setMapping}
        />
      )}
      <div>
        <Button
          variant="default"
          loading={look.isWorking}
          disabled={
            kind === 'mqtt'
              ? subscription.address === '' || subscription.topics.length === 0
              : isPull
                ? pull.address === ''
                : text === ''
          }
          onClick={(event) => void look.handleSubmit(event)}
        >
          {t('externalSources.try')}
        </Button>
        {kind === 'mqtt' ? <p className={classes.note}>{t('externalSources.tryBroker')}</p> : null}
      </div>
      <Failure text={look.failure} />
      {preview ? (
        <Revealed of={preview}>
          <PreviewTable preview={preview} timezone={mapping.timezone ?? 'UTC'} />
        </Revealed>
      ) : null}
      <Switch
        label={t('externalSources.enabled')}
        checked={values.isEnabled ?? true}
        onChange={(event) => set({ isEnabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

function CredentialKind({ value, onChange }: { value: Credential; onChange: (next: Credential) => void }) {
  const { t } = useTranslation();
  const kinds = ['none', 'bearer', 'basic', 'header'] as const;
  const of = (kind: string): Credential => {
    if (kind === 'basic') return { kind, user: '' };
    if (kind === 'header') return { kind, header: 'X-API-Key' };
    return { kind: kind === 'bearer' ? 'bearer' : 'none' };
  };
  return (
    <Select
      label={t('externalSources.credential')}
      allowDeselect={false}
      data={kinds.map((kind) => ({ value: kind, label: t(`externalSources.credentials.${kind}`) }))}
      value={value.kind}
      onChange={(kind) => onChange(of(kind ?? 'none'))}
    />
  );
}

/** What can be changed of a known source. */
function inputOf({
  name,
  kind,
  isEnabled,
  device,
  format,
  recordsPath,
  mapping,
  pull,
  subscription,
}: ExternalSource): Input {
  return { name, kind, isEnabled, device, format, recordsPath, mapping, pull, subscription };
}
