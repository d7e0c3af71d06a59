import type { newExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { FieldRows, type MappingInput } from '../../app/mapping/mapping-fields.tsx';
import classes from './external-sources.module.css';
import { HELP_BELOW } from './field-order.ts';
import { type PlaceProps, SecretField } from './sign-in-fields.tsx';

type SubscriptionInput = NonNullable<z.input<typeof newExternalSource>['subscription']>;

export const NO_SUBSCRIPTION: SubscriptionInput = { address: '', user: null, topics: [], payload: 'records' };
/** What every message of a broker has, before anything is known of it. */
export const BROKER_COLUMNS = ['mqtt.time', 'mqtt.topic', 'mqtt.1', 'mqtt.2', 'mqtt.3'] as const;
/** A metric has its own time and its own name, and a device is a source. */
export const SPARKPLUG_MAPPING: Partial<MappingInput> = {
  source: '{node}/{device}',
  sourceColumn: null,
  timeColumn: 'timestamp',
};
const PAYLOADS = ['records', 'values', 'sparkplug'] as const;

interface BrokerFieldsProps extends PlaceProps {
  value: SubscriptionInput;
  onChange: (part: Partial<SubscriptionInput>) => void;
}

/** Where a broker is, how it lets us in, and what we listen to. */
export function BrokerFields({ value, faults, onChange, ...secret }: BrokerFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={t('externalSources.broker')}
          placeholder="mqtts://broker.example.org:8883"
          value={value.address}
          error={faults.address}
          onChange={(event) => onChange({ address: event.currentTarget.value })}
        />
        <Select
          label={t('externalSources.payload')}
          allowDeselect={false}
          data={PAYLOADS.map((payload) => ({
            value: payload,
            label: t(`externalSources.payloads.${payload}`),
          }))}
          value={value.payload ?? 'records'}
          onChange={(payload) =>
            onChange({ payload: (payload ?? 'records') as SubscriptionInput['payload'] })
          }
        />
        <TextInput
          label={t('externalSources.user')}
          autoComplete="off"
          value={value.user ?? ''}
          error={faults.user}
          onChange={(event) => onChange({ user: event.currentTarget.value || null })}
        />
        <SecretField label={t('externalSources.password')} {...secret} />
      </div>
      <TagsInput
        label={t('externalSources.topics')}
        description={t(
          value.payload === 'sparkplug' ? 'externalSources.topicsSparkplug' : 'externalSources.topicsHelp',
        )}
        inputWrapperOrder={HELP_BELOW}
        acceptValueOnBlur
        splitChars={[',', ' ']}
        value={value.topics}
        error={faults.topics ?? value.topics.map((_topic, at) => faults[`topics.${at}`]).find(Boolean)}
        onChange={(topics) => onChange({ topics })}
      />
      <div className={classes.pair}>
        <TextInput
          label={t('externalSources.clientId')}
          description={t('externalSources.clientIdHelp')}
          inputWrapperOrder={HELP_BELOW}
          value={value.clientId ?? ''}
          error={faults.clientId}
          onChange={(event) => onChange({ clientId: event.currentTarget.value || null })}
        />
        <Textarea
          label={t('externalSources.caPem')}
          description={t('externalSources.caPemHelp')}
          inputWrapperOrder={HELP_BELOW}
          rows={1}
          value={value.caPem ?? ''}
          error={faults.caPem}
          onChange={(event) => onChange({ caPem: event.currentTarget.value || null })}
        />
      </div>
    </>
  );
}

interface SparkplugFieldsProps {
  value: MappingInput;
  /** What is wrong, by the path within the mapping. */
  faults: Record<string, string>;
  /** Metrics that are known from a look at the nodes. */
  columns: readonly string[];
  onChange: (part: Partial<MappingInput>) => void;
}

/** Which metrics are stored, and under which names. */
export function SparkplugFields({ value, faults, columns, onChange }: SparkplugFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={t('externalSources.table')}
          value={value.table}
          error={faults.table}
          onChange={(event) => onChange({ table: event.currentTarget.value })}
        />
        <TextInput
          label={t('externalSources.source')}
          description={t('externalSources.sourcePattern', { pattern: '{group}, {node}, {device}' })}
          inputWrapperOrder={HELP_BELOW}
          value={value.source}
          error={faults.source}
          onChange={(event) => onChange({ source: event.currentTarget.value })}
        />
        <Select
          label={t('externalSources.metricTime')}
          allowDeselect={false}
          data={[
            { value: 'timestamp', label: t('externalSources.metricTimes.own') },
            { value: 'mqtt.time', label: t('externalSources.metricTimes.arrival') },
          ]}
          value={value.timeColumn === 'mqtt.time' ? 'mqtt.time' : 'timestamp'}
          onChange={(timeColumn) => onChange({ timeColumn: timeColumn ?? 'timestamp' })}
        />
      </div>
      <p className={classes.note}>{t('externalSources.metricsHelp')}</p>
      <FieldRows
        fields={value.fields}
        columns={columns}
        all={columns}
        faults={faults}
        onChange={(fields) => onChange({ fields })}
      />
    </>
  );
}
