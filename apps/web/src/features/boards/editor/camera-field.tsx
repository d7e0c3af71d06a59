import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../../app/session.ts';
import { namesOn, useSourceLabels } from '../../../app/source-labels.ts';
import { deviceListQuery } from '../../devices/devices.queries.ts';
import { camerasQuery } from '../../photos/photos.queries.ts';

interface CameraFieldProps {
  label: string;
  /** Device and source with a full stop between them. */
  value: string | null;
  onChange: (value: unknown) => void;
}

/** One of the cameras that have sent photos. */
export function CameraField({ label, value, onChange }: CameraFieldProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: cameras = [] } = useQuery(camerasQuery(wg));
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const labelling = useSourceLabels();
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  return (
    <Select
      label={label}
      placeholder={cameras.length === 0 ? t('boards.photo.noCameras') : undefined}
      data={cameras.map(({ deviceId, source }) => ({
        value: `${deviceId}.${source}`,
        label: [
          names.get(deviceId) ?? deviceId,
          ...[source, ...namesOn(labelling, deviceId)({ source })],
        ].join(' · '),
      }))}
      value={value}
      searchable
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
