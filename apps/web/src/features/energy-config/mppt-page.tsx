import { ENERGY_LIMITS } from '@albedo/contract/energy/energy.names';
import { ActionIcon, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { ConfigPage } from './config-page.tsx';
import classes from './energy-config.module.css';
import { fieldChoices, fieldIn, keyOf, useKnownFields } from './known-fields.ts';
import type { FieldsProps } from './use-config.ts';

export const MpptPage = () => <ConfigPage name="mppt-extract-config" Fields={Fields} hasNoPreview />;

function Fields({ value, set, faultOf }: FieldsProps<'mppt-extract-config'>) {
  const { t } = useTranslation();
  return (
    <>
      {(['mppt', 'irradiation'] as const).map((kind) => (
        <Section
          key={kind}
          title={t(`energyConfig.extracts.${kind}`)}
          context={t(`energyConfig.extractTexts.${kind}`)}
        >
          <div className={classes.fields}>
            <Switch
              label={t('energyConfig.mailed')}
              checked={value[kind].isOn}
              onChange={(event) => set({ [kind]: { ...value[kind], isOn: event.currentTarget.checked } })}
            />
            <TagsInput
              label={t('energyConfig.recipients')}
              description={t('energyConfig.recipientsText')}
              maxTags={ENERGY_LIMITS.recipients}
              value={value[kind].recipients}
              error={faultOf(`${kind}.recipients`)}
              splitChars={[',', ' ', ';']}
              onChange={(recipients) => set({ [kind]: { ...value[kind], recipients } })}
            />
          </div>
        </Section>
      ))}
      <Section title={t('energyConfig.trackers')} context={t('energyConfig.trackersText')}>
        <Trackers value={value.trackers} faultOf={faultOf} onChange={(trackers) => set({ trackers })} />
      </Section>
    </>
  );
}

type Tracker = FieldsProps<'mppt-extract-config'>['value']['trackers'][number];

interface TrackersProps {
  value: readonly Tracker[];
  faultOf: (path: string) => string | undefined;
  onChange: (value: Tracker[]) => void;
}

/** Fields that belong to a tracker, under the name that the extract gives them. */
function Trackers({ value, faultOf, onChange }: TrackersProps) {
  const { t } = useTranslation();
  const known = useKnownFields();
  const taken = new Set(value.map(keyOf));
  return (
    <div className={classes.fields}>
      {value.map((tracker, at) => (
        <div key={keyOf(tracker)} className={classes.stream}>
          <span className={classes.streamName}>
            {tracker.field}
            <small>{tracker.table}</small>
          </span>
          <TextInput
            aria-label={t('energyConfig.trackerName', { field: tracker.field })}
            value={tracker.name}
            error={faultOf(`trackers.${at}.name`)}
            onChange={(event) => {
              const name = event.currentTarget.value;
              onChange(value.map((one, i) => (i === at ? { ...one, name } : one)));
            }}
          />
          <span />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('energyConfig.removeField', { field: tracker.field })}
            onClick={() => onChange(value.filter((_, i) => i !== at))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Select
        className={classes.add ?? ''}
        aria-label={t('energyConfig.addTracker')}
        placeholder={t('energyConfig.addFieldShort')}
        searchable
        data={fieldChoices(known.filter((one) => !taken.has(keyOf(one))))}
        limit={200}
        value={null}
        onChange={(key) => {
          if (key === null) return;
          const field = fieldIn(key);
          onChange([...value, { ...field, name: field.field }]);
        }}
      />
    </div>
  );
}
