import { METER_COUNTS, METER_GRANULARITIES } from '@albedo/contract/energy/energy.names';
import { meterCode } from '@albedo/contract/energy/energy-config.schema';
import { ActionIcon, NativeSelect, Select, TextInput } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { BudgetSection } from './budget-section.tsx';
import { ConfigPage } from './config-page.tsx';
import classes from './energy-config.module.css';
import { ImportSection } from './import-section.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import { SitesField } from './sites-field.tsx';
import type { FieldsProps } from './use-config.ts';

export const MeterDataPage = () => (
  <ConfigPage name="meter-data-config" Fields={Fields} More={More} hasNoPreview />
);

function More({ wg }: { wg: string }) {
  return (
    <>
      <ImportSection wg={wg} />
      <BudgetSection wg={wg} />
      <SettingSwitch wg={wg} setting="meterSites" />
    </>
  );
}

function Fields({ value, set, faultOf }: FieldsProps<'meter-data-config'>) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('energyConfig.codes')} context={t('energyConfig.codesText')}>
        <div className={classes.fields}>
          <Codes value={value.codes} error={faultOf('codes')} onChange={(codes) => set({ codes })} />
          <Select
            className={classes.add ?? ''}
            label={t('energyConfig.readingsFor')}
            description={t('energyConfig.readingsForText')}
            allowDeselect={false}
            data={METER_GRANULARITIES.map((one) => ({
              value: one,
              label: t(`energyConfig.intervals.${one}`),
            }))}
            value={value.granularity}
            onChange={(next) => set({ granularity: (next ?? 'day') as typeof value.granularity })}
          />
        </div>
      </Section>
      <SitesField
        value={value.sites}
        codes={value.codes.map(({ code }) => code)}
        error={faultOf('sites')}
        onChange={(sites) => set({ sites })}
      />
    </>
  );
}

type Codes = FieldsProps<'meter-data-config'>['value']['codes'];

interface CodesProps {
  value: Codes;
  error: string | undefined;
  onChange: (codes: Codes) => void;
}

/** The codes of meters: typed and ticked to add one, and its X removes it at once. Readings stay stored. */
function Codes({ value, error, onChange }: CodesProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const code = text.trim();
  const isTaken = value.some((one) => one.code === code);
  const isValid = meterCode.safeParse(code).success && !isTaken;
  const add = () => {
    if (!isValid) return;
    onChange([...value, { code, counts: 'production' }]);
    setText('');
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <>
      <TextInput
        className={classes.add ?? ''}
        label={t('energyConfig.newCode')}
        value={text}
        maxLength={100}
        error={
          isTaken
            ? t('energyConfig.codeTaken')
            : code !== '' && !isValid
              ? t('energyConfig.codeWrong')
              : error
        }
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={handleKey}
        rightSection={
          <ActionIcon
            variant="subtle"
            disabled={!isValid}
            aria-label={t('energyConfig.addCode')}
            onClick={add}
          >
            <IconCheck size={18} />
          </ActionIcon>
        }
      />
      {value.length === 0 ? (
        <p className={classes.note}>{t('energyConfig.noCodes')}</p>
      ) : (
        <ul className={classes.codes} aria-label={t('energyConfig.codes')}>
          {value.map((one) => (
            <li key={one.code} className={classes.code}>
              {one.code}
              <NativeSelect
                size="xs"
                variant="unstyled"
                aria-label={t('energyConfig.counts', { code: one.code })}
                data={METER_COUNTS.map((counts) => ({
                  value: counts,
                  label: t(`energyConfig.countNames.${counts}`),
                }))}
                value={one.counts}
                onChange={(event) => {
                  const counts = event.currentTarget.value as Codes[number]['counts'];
                  onChange(value.map((other) => (other.code === one.code ? { ...other, counts } : other)));
                }}
              />
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t('energyConfig.removeCode', { code: one.code })}
                onClick={() => onChange(value.filter((other) => other.code !== one.code))}
              >
                <IconX size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
