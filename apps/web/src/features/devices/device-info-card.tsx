import type { Device } from '@albedo/contract/devices/devices.schema';
import { type Info, infoKeys, shownInfo } from '@albedo/contract/metadata/metadata.schema';
import { SITE_NAMES } from '@albedo/contract/plants/plant-site';
import { Button, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InfoForm } from '../../app/info/info-form.tsx';
import { InfoList } from '../../app/info/info-list.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { useWorkgroupSettings } from '../workgroups/workgroups.queries.ts';
import { deviceInfo, saveDeviceInfo, useMayManageDevices } from './device.queries.ts';

/** Names that the product gives a meaning, or that most fleets use. */
const USUAL_NAMES = [
  ...Object.values(SITE_NAMES),
  'Site',
  'Address',
  'Installer',
  'Serial number',
  'Contact',
  'Notes',
];

/** The metadata people gave the device: names with texts. Latitude and Longitude place it on the map. */
export function DeviceInfoCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  /** What it said when the form opened; null while there is none. */
  const [edited, setEdited] = useState<Info | null>(null);
  const mayManage = useMayManageDevices();
  const keys = infoKeys(useWorkgroupSettings(), 'device');
  const info = Object.fromEntries(deviceInfo(device));
  const { shown, others } = shownInfo(info, keys);
  const edit = mayManage && edited === null && (
    <Button variant="subtle" size="xs" leftSection={<IconPencil size={14} />} onClick={() => setEdited(info)}>
      {t('device.info.edit')}
    </Button>
  );
  return (
    <Section title={t('device.info.title')} actions={edit}>
      {edited ? (
        <InfoForm
          entries={[...shown, ...others]}
          names={[...keys, ...USUAL_NAMES.filter((name) => !keys.includes(name))]}
          onSave={async (said) => {
            await saveDeviceInfo(wg, device.id, { info: said, over: edited });
            notifyDone(t('device.info.saved'));
          }}
          onClose={() => setEdited(null)}
        />
      ) : shown.length + others.length > 0 ? (
        <InfoList info={info} keys={keys} />
      ) : (
        <Text size="sm" c="dimmed">
          {t(mayManage ? 'device.info.empty' : 'device.info.emptyAsk')}
        </Text>
      )}
    </Section>
  );
}
