import type { Device } from '@albedo/contract/devices/devices.schema';
import { SITE_NAMES } from '@albedo/contract/plants/plant-site';
import { ActionIcon, Autocomplete, Button, Group, Text, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { deviceInfo, saveDeviceInfo, useMayManageDevices } from './device.queries.ts';
import classes from './device-cards.module.css';

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
  const [isEditing, setEditing] = useState(false);
  const mayManage = useMayManageDevices();
  const info = deviceInfo(device);
  const edit = mayManage && !isEditing && (
    <Button
      variant="subtle"
      size="xs"
      leftSection={<IconPencil size={14} />}
      onClick={() => setEditing(true)}
    >
      {t('device.info.edit')}
    </Button>
  );
  return (
    <Section title={t('device.info.title')} actions={edit}>
      {isEditing ? (
        <InfoForm device={device} info={info} onDone={() => setEditing(false)} />
      ) : info.length > 0 ? (
        <dl className={classes.facts}>
          {info.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <Text size="sm" c="dimmed">
          {t(mayManage ? 'device.info.empty' : 'device.info.emptyAsk')}
        </Text>
      )}
    </Section>
  );
}

interface InfoFormProps {
  device: Device;
  info: [name: string, value: string][];
  onDone: () => void;
}

interface Row {
  key: number;
  name: string;
  value: string;
}

function InfoForm({ device, info, onDone }: InfoFormProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [rows, setRows] = useState<Row[]>(() =>
    [...info, ['', ''] as const].map(([name, value], key) => ({ key, name, value })),
  );
  const change = (key: number, part: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () =>
    setRows([...rows, { key: Math.max(0, ...rows.map((row) => row.key)) + 1, name: '', value: '' }]);

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const fault = faultOf(rows, t);
    if (fault) throw new Error(fault);
    const filled = rows.filter((row) => row.name.trim() !== '');
    await saveDeviceInfo(
      wg,
      device.id,
      Object.fromEntries(filled.map((row) => [row.name.trim(), row.value.trim()])),
    );
    notifyDone(t('device.info.saved'));
    onDone();
  });

  return (
    <form onSubmit={handleSubmit} className={classes.form}>
      {rows.map((row) => (
        <div key={row.key} className={classes.formRow}>
          <Autocomplete
            size="sm"
            aria-label={t('device.info.name')}
            placeholder={t('device.info.name')}
            value={row.name}
            maxLength={80}
            data={USUAL_NAMES.filter((name) => !rows.some((other) => other.name === name))}
            onChange={(name) => change(row.key, { name })}
          />
          <TextInput
            size="sm"
            aria-label={
              row.name === '' ? t('device.info.value') : t('device.info.valueOf', { name: row.name })
            }
            placeholder={t('device.info.value')}
            value={row.value}
            maxLength={500}
            onChange={(event) => change(row.key, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={
              row.name === '' ? t('device.info.removeRow') : t('device.info.remove', { name: row.name })
            }
            onClick={() => setRows(rows.filter((other) => other.key !== row.key))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Failure text={failure} />
      <Group justify="space-between" gap="xs">
        <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
          {t('device.info.add')}
        </Button>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={onDone}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" size="xs" loading={isWorking}>
            {t('actions.save')}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

/** What is wrong with the rows, in words; null when they can be saved. */
function faultOf(rows: readonly Row[], t: TFunction): string | null {
  const names = rows.map((row) => row.name.trim());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) return t('device.info.twice', { name: twice });
  const nameless = rows.find((row) => row.name.trim() === '' && row.value.trim() !== '');
  return nameless ? t('device.info.nameless', { value: nameless.value.trim() }) : null;
}
