import { ENERGY_METHODS, type EnergyMethod } from '@albedo/contract/energy/energy.names';
import type { EnergyStream } from '@albedo/contract/energy/energy-config.schema';
import { ActionIcon, Select, Switch, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { ConfigPage } from './config-page.tsx';
import { DayClock } from './day-clock.tsx';
import classes from './energy-config.module.css';
import { fieldChoices, fieldIn, keyOf, useKnownFields } from './known-fields.ts';
import { RoleFields } from './role-fields.tsx';
import type { FieldsProps } from './use-config.ts';

export const DailyEnergyPage = () => <ConfigPage name="daily-energy-config" Fields={Fields} />;

function Fields({ value, set, faultOf }: FieldsProps<'daily-energy-config'>) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('energyConfig.dayClock')} context={t('energyConfig.dayClockText')}>
        <DayClock
          value={value.timezone}
          error={faultOf('timezone')}
          onChange={(timezone) => set({ timezone })}
        />
      </Section>
      <Section title={t('energyConfig.streams')} context={t('energyConfig.streamsText')}>
        <div className={classes.fields}>
          {ENERGY_METHODS.map((method, at) => (
            <Method
              key={method}
              place={at + 1}
              method={method}
              streams={value.streams}
              faultOf={faultOf}
              onChange={(streams) => set({ streams })}
            />
          ))}
        </div>
      </Section>
      <Section title={t('energyConfig.shown')}>
        <Switch
          label={t('energyConfig.showSpecificYield')}
          checked={value.showSpecificYield}
          onChange={(event) => set({ showSpecificYield: event.currentTarget.checked })}
        />
      </Section>
      <RoleFields
        roles={['peakPower', 'ratedPower']}
        value={value}
        faultOf={faultOf}
        onChange={(part) => set(part as never)}
      />
    </>
  );
}

interface MethodProps {
  place: number;
  method: EnergyMethod;
  streams: readonly EnergyStream[];
  faultOf: (path: string) => string | undefined;
  onChange: (streams: EnergyStream[]) => void;
}

/** One of the methods with its fields, and the field to add. */
function Method({ place, method, streams, faultOf, onChange }: MethodProps) {
  const { t } = useTranslation();
  const known = useKnownFields();
  const own = streams.flatMap((stream, at) => (stream.method === method ? [{ stream, at }] : []));
  const taken = new Set(own.map(({ stream }) => keyOf(stream)));
  const free = known.filter((one) => !taken.has(keyOf(one)));
  const change = (at: number, part: Partial<EnergyStream>) =>
    onChange(streams.map((one, i) => (i === at ? { ...one, ...part } : one)));
  const name = t(`energy.methods.${method}`);
  return (
    <section className={classes.method} aria-label={name}>
      <h3 className={classes.subtitle}>
        {place}
        {'. '}
        {name}
        <small>{t(`energyConfig.methodTexts.${method}`)}</small>
      </h3>
      {own.map(({ stream, at }) => (
        <div key={keyOf(stream)} className={classes.stream}>
          <span className={classes.streamName}>
            {stream.field}
            <small>{stream.table}</small>
          </span>
          <TextInput
            aria-label={t('energyConfig.unitsOf', { field: stream.field })}
            placeholder={known.find((one) => keyOf(one) === keyOf(stream))?.units ?? t('energyConfig.units')}
            value={stream.units ?? ''}
            error={faultOf(`streams.${at}.units`)}
            onChange={(event) => change(at, { units: event.currentTarget.value || undefined })}
          />
          <Select
            aria-label={t('energyConfig.dateFieldOf', { field: stream.field })}
            placeholder={t('energyConfig.eventTime')}
            clearable
            searchable
            data={known.filter((one) => one.table === stream.table).map((one) => one.field)}
            value={stream.dateField ?? null}
            onChange={(dateField) => change(at, { dateField: dateField ?? undefined })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('energyConfig.removeField', { field: stream.field })}
            onClick={() => onChange(streams.filter((_, i) => i !== at))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Select
        className={classes.add ?? ''}
        aria-label={t('energyConfig.addField', { method: name })}
        placeholder={t('energyConfig.addFieldShort')}
        searchable
        data={fieldChoices(free)}
        limit={200}
        value={null}
        onChange={(key) => key !== null && onChange([...streams, { method, ...fieldIn(key) }])}
      />
    </section>
  );
}
