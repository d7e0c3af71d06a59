import { NumberInput, Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { ConfigPage } from './config-page.tsx';
import classes from './energy-config.module.css';
import { NumberField, PercentField } from './number-field.tsx';
import { RoleFields } from './role-fields.tsx';
import type { FieldsProps } from './use-config.ts';

export const IecPage = () => <ConfigPage name="iec-perf-ratio-config" Fields={Fields} />;

const ROLES = ['peakPower', 'irradiancePoa', 'moduleTemperature', 'dcEnergy'] as const;

function Fields({ value, set, faultOf }: FieldsProps<'iec-perf-ratio-config'>) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('energyConfig.correction')} context={t('energyConfig.correctionText')}>
        <div className={classes.pair}>
          <NumberField
            label={t('energyConfig.gamma')}
            help={t('energyConfig.gammaText')}
            value={Number((value.gammaPerK * 100).toPrecision(10))}
            min={-2}
            max={0}
            step={0.01}
            unit="%/°C"
            error={faultOf('gammaPerK')}
            onChange={(next) => set({ gammaPerK: Number((next / 100).toPrecision(10)) })}
          />
          <Select
            label={t('energyConfig.reference')}
            allowDeselect={false}
            data={(['typicalYear', 'contract'] as const).map((one) => ({
              value: one,
              label: t(`energyConfig.references.${one}`),
            }))}
            value={value.reference}
            onChange={(next) => set({ reference: (next ?? 'typicalYear') as typeof value.reference })}
          />
          <NumberInput
            label={t('energyConfig.referenceTemperature')}
            description={t('energyConfig.referenceTemperatureText')}
            suffix=" °C"
            min={-20}
            max={80}
            value={value.referenceTemperatureC ?? ''}
            error={faultOf('referenceTemperatureC')}
            onChange={(next) => set({ referenceTemperatureC: typeof next === 'number' ? next : null })}
          />
          <NumberField
            label={t('energyConfig.floor')}
            help={t('energyConfig.floorText')}
            value={value.irradianceFloorWm2}
            min={0}
            max={200}
            step={5}
            unit="W/m²"
            error={faultOf('irradianceFloorWm2')}
            onChange={(irradianceFloorWm2) => set({ irradianceFloorWm2 })}
          />
        </div>
      </Section>
      <Section title={t('energyConfig.bifacial')} context={t('energyConfig.bifacialText')}>
        <div className={classes.pair}>
          <Switch
            label={t('energyConfig.isBifacial')}
            checked={value.isBifacial}
            onChange={(event) => set({ isBifacial: event.currentTarget.checked })}
          />
          {value.isBifacial ? (
            <PercentField
              label={t('energyConfig.bifaciality')}
              value={value.bifaciality}
              error={faultOf('bifaciality')}
              onChange={(bifaciality) => set({ bifaciality })}
            />
          ) : null}
        </div>
      </Section>
      <RoleFields
        roles={value.isBifacial ? [...ROLES, 'irradianceRear'] : ROLES}
        value={value}
        faultOf={faultOf}
        onChange={(part) => set(part as never)}
      />
    </>
  );
}
