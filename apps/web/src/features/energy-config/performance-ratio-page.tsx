import {
  IRRADIANCE_SOURCES,
  SKY_ROLES,
  SOLAR_ROLES,
  TEMPERATURE_MODELS,
  TRANSPOSITIONS,
} from '@albedo/contract/energy/energy-config.schema';
import { ActionIcon, Checkbox, SegmentedControl, Select } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { DIRECTION_NAMES, type Direction, degreesOf, directionOf } from './azimuth.ts';
import { ConfigPage } from './config-page.tsx';
import classes from './energy-config.module.css';
import { NumberField, PercentField } from './number-field.tsx';
import { RoleFields } from './role-fields.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import type { FieldsProps } from './use-config.ts';

export const PerformanceRatioPage = () => (
  <ConfigPage name="performance-ratio-config" Fields={Fields} More={More} />
);

const More = ({ wg }: { wg: string }) => <SettingSwitch wg={wg} setting="perfRatio" />;

const ROLES = [...SOLAR_ROLES, ...SKY_ROLES];

type Irradiance = (typeof IRRADIANCE_SOURCES)[number];

function Fields({ value, set, faultOf }: FieldsProps<'performance-ratio-config'>) {
  const { t } = useTranslation();
  const zero = directionOf(value.zeroDirection);
  return (
    <>
      <Section title={t('energyConfig.irradiance')} context={t('energyConfig.irradianceText')}>
        <div className={classes.fields}>
          <Priorities
            value={value.irradiance}
            error={faultOf('irradiance')}
            onChange={(irradiance) => set({ irradiance })}
          />
          <div className={classes.pair}>
            <Select
              label={t('energyConfig.transposition')}
              description={t('energyConfig.transpositionText')}
              allowDeselect={false}
              data={TRANSPOSITIONS.map((one) => ({
                value: one,
                label: t(`energyConfig.transpositions.${one}`),
              }))}
              value={value.transposition}
              onChange={(next) =>
                set({ transposition: (next ?? 'hay-davies') as typeof value.transposition })
              }
            />
            <NumberField
              label={t('energyConfig.albedo')}
              help={t('energyConfig.albedoText')}
              value={value.albedo}
              min={0}
              max={1}
              step={0.05}
              error={faultOf('albedo')}
              onChange={(albedo) => set({ albedo })}
            />
          </div>
        </div>
      </Section>
      <Section title={t('energyConfig.model')}>
        <div className={classes.pair}>
          <Select
            label={t('energyConfig.temperatureModel')}
            allowDeselect={false}
            data={TEMPERATURE_MODELS.map((one) => ({
              value: one,
              label: t(`energyConfig.temperatures.${one}`),
            }))}
            value={value.temperatureModel}
            onChange={(next) =>
              set({ temperatureModel: (next ?? 'measured') as typeof value.temperatureModel })
            }
          />
          <PercentField
            label={t('energyConfig.systemFactor')}
            help={t('energyConfig.systemFactorText')}
            value={value.systemFactor}
            max={1.2}
            error={faultOf('systemFactor')}
            onChange={(systemFactor) => set({ systemFactor })}
          />
          <PercentField
            label={t('energyConfig.degradation')}
            help={t('energyConfig.degradationText')}
            value={value.degradationPerYear}
            max={0.1}
            error={faultOf('degradationPerYear')}
            onChange={(degradationPerYear) => set({ degradationPerYear })}
          />
        </div>
      </Section>
      <Section title={t('energyConfig.band')} context={t('energyConfig.bandText')}>
        <div className={classes.pair}>
          <PercentField
            label={t('energyConfig.bandFrom')}
            value={value.band.from}
            min={-1}
            error={faultOf('band')}
            onChange={(from) => set({ band: { ...value.band, from } })}
          />
          <PercentField
            label={t('energyConfig.bandTo')}
            value={value.band.to}
            min={-1}
            onChange={(to) => set({ band: { ...value.band, to } })}
          />
        </div>
      </Section>
      <Section title={t('energyConfig.zero')} context={t('energyConfig.zeroText')}>
        <SegmentedControl
          aria-label={t('energyConfig.zero')}
          data={DIRECTION_NAMES.map((one) => ({ value: one, label: t(`energyConfig.directions.${one}`) }))}
          value={zero}
          onChange={(next) => set({ zeroDirection: degreesOf(next as Direction) })}
        />
      </Section>
      <RoleFields
        roles={ROLES}
        zero={zero}
        value={value}
        faultOf={faultOf}
        onChange={(part) => set(part as never)}
      />
    </>
  );
}

interface PrioritiesProps {
  value: readonly Irradiance[];
  error: string | undefined;
  onChange: (value: Irradiance[]) => void;
}

/** What irradiance is taken from: the first that has values. Those that are not ticked are not looked at. */
function Priorities({ value, error, onChange }: PrioritiesProps) {
  const { t } = useTranslation();
  const others = IRRADIANCE_SOURCES.filter((one) => !value.includes(one));
  const move = (from: number, to: number) => {
    const [one] = value.slice(from, from + 1);
    if (one) onChange(value.toSpliced(from, 1).toSpliced(to, 0, one));
  };
  return (
    <div>
      <ol className={classes.order}>
        {[...value, ...others].map((one, at) => {
          const isOn = at < value.length;
          const name = t(`energyConfig.irradianceSources.${one}`);
          return (
            <li key={one}>
              <Checkbox
                label={name}
                description={t(`energyConfig.irradianceTexts.${one}`)}
                checked={isOn}
                disabled={isOn && value.length === 1}
                onChange={() => onChange(isOn ? value.filter((other) => other !== one) : [...value, one])}
              />
              {isOn ? (
                <span>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={at === 0}
                    aria-label={t('energyConfig.up', { name })}
                    onClick={() => move(at, at - 1)}
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={at === value.length - 1}
                    aria-label={t('energyConfig.down', { name })}
                    onClick={() => move(at, at + 1)}
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                </span>
              ) : null}
            </li>
          );
        })}
      </ol>
      {error ? <p className={classes.fault}>{error}</p> : null}
    </div>
  );
}
