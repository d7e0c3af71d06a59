import type { Device } from '@albedo/contract/devices/devices.schema';
import { useTranslation } from 'react-i18next';
import { MapView } from '../../ui/map-view/map-view.tsx';
import { positionText, readPosition } from '../../ui/map-view/position.ts';
import { Section } from '../../ui/section.tsx';
import { deviceInfo } from './device.queries.ts';

/** Where the device stands; nothing until its metadata has a Latitude and a Longitude. */
export function DeviceMapCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const info = new Map(deviceInfo(device));
  const position = readPosition(info.get('Latitude'), info.get('Longitude'));
  if (!position) return null;
  return (
    <Section title={t('device.location')} context={positionText(position)} isFlush>
      <MapView position={position} label={device.name} />
    </Section>
  );
}
