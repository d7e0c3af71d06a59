import { Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { ConfigPage } from './config-page.tsx';
import { RoleFields } from './role-fields.tsx';
import type { FieldsProps } from './use-config.ts';

export const CapacityFactorPage = () => <ConfigPage name="capacity-factor-config" Fields={Fields} />;

function Fields({ value, set, faultOf }: FieldsProps<'capacity-factor-config'>) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('energyConfig.basis')} context={t('energyConfig.basisText')}>
        <Radio.Group
          aria-label={t('energyConfig.basis')}
          value={value.basis}
          onChange={(basis) => set({ basis: basis as typeof value.basis })}
        >
          <Stack gap="xs">
            {(['ac', 'dc'] as const).map((one) => (
              <Radio
                key={one}
                value={one}
                label={t(`energyConfig.bases.${one}`)}
                description={t(`energyConfig.basisTexts.${one}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
      <RoleFields
        roles={value.basis === 'ac' ? ['ratedPower', 'peakPower'] : ['peakPower', 'ratedPower']}
        value={value}
        faultOf={faultOf}
        onChange={(part) => set(part as never)}
      />
    </>
  );
}
