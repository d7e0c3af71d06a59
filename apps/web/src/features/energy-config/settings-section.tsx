import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import { Section } from '../../ui/section.tsx';
import { setWorkgroupSetting, useWorkgroupSettings } from '../workgroups/workgroups.queries.ts';
import { DayClock } from './day-clock.tsx';
import { SettingSwitch } from './setting-switch.tsx';

const ZONE = 'dailyEnergy.timezone';

/** What reports on energy read of the settings: by whose clock days begin, and which reports are offered. */
export function EnergySettings() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const zone = useWorkgroupSettings()[ZONE];
  const { isWorking, work } = useWork((error) => notifyFailure(t('energyConfig.switchFailed'), error));
  return (
    <Stack gap="md">
      <Section title={t('energyConfig.dayClock')} context={t('energyConfig.dayClockText')}>
        <DayClock
          value={typeof zone === 'string' ? zone : 'device'}
          error={undefined}
          isDisabled={isWorking}
          onChange={(next) =>
            void work(async () => {
              await setWorkgroupSetting(wg, ZONE, next);
              notifyDone(t('energyConfig.clockSaved'));
            })
          }
        />
      </Section>
      <SettingSwitch wg={wg} setting="perfRatio" />
      <SettingSwitch wg={wg} setting="meterSites" />
    </Stack>
  );
}
