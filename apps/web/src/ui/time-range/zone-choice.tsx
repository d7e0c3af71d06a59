import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { zonePreference } from '../units/locale.ts';
import { AS_COLLECTED, isCollected as isCollectedBy, selectedZone } from './time-zone.ts';
import { ZoneSelect } from './zone-select.tsx';

interface ZoneChoiceProps {
  setting: string;
  deviceZone: string | null;
  collectedNote: string | undefined;
  onChange: (setting: string) => void;
}

/** In which zone a screen shows its times: a selected one, or that of the device. */
export function ZoneChoice({ setting, deviceZone, collectedNote, onChange }: ZoneChoiceProps) {
  const { t } = useTranslation();
  const isUsual = zonePreference().mode === 'collected';
  const isCollected = isCollectedBy(setting);
  const selected = isUsual ? selectedZone() : '';
  return (
    <Stack gap={8}>
      <SegmentedControl
        size="xs"
        fullWidth
        value={isCollected ? AS_COLLECTED : 'selected'}
        onChange={(mode) => onChange(mode === AS_COLLECTED ? AS_COLLECTED : selected)}
        data={[
          { value: 'selected', label: t('time.selectedZone') },
          { value: AS_COLLECTED, label: t('time.asCollected') },
        ]}
        aria-label={t('time.zoneMode')}
      />
      {isCollected ? (
        <Text size="xs" c="dimmed">
          {collectedNote ??
            (deviceZone
              ? t('time.collectedIn', { zone: deviceZone })
              : t('time.noZone', { zone: selectedZone() }))}
        </Text>
      ) : (
        <ZoneSelect
          value={setting}
          onChange={onChange}
          withProfile={!isUsual}
          select={{ comboboxProps: { withinPortal: false } }}
        />
      )}
    </Stack>
  );
}
