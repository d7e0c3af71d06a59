import { isOn } from '@albedo/contract/http/query';
import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useWork } from '../../app/use-submit.ts';
import { Section } from '../../ui/section.tsx';
import { setWorkgroupSetting, useWorkgroupSettings } from '../workgroups/workgroups.queries.ts';

/** A setting of the workgroup that opens reports; it holds as soon as it is switched. */
export function SettingSwitch({ wg, setting }: { wg: string; setting: 'perfRatio' | 'meterSites' }) {
  const { t } = useTranslation();
  const value = useWorkgroupSettings()[setting];
  const { isWorking, work } = useWork((error) => notifyFailure(t('energyConfig.switchFailed'), error));
  return (
    <Section
      title={t(`energyConfig.settings.${setting}`)}
      context={t(`energyConfig.settingTexts.${setting}`)}
    >
      <Switch
        label={t('energyConfig.offered')}
        checked={isOn(value)}
        disabled={isWorking}
        onChange={(event) => {
          const next = event.currentTarget.checked;
          void work(() => setWorkgroupSetting(wg, setting, next));
        }}
      />
    </Section>
  );
}
