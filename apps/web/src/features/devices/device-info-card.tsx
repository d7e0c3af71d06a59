import type { Device } from '@albedo/contract/devices/devices.schema';
import { ActionIcon, Autocomplete, Button, Group, Text, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { messageOf, notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { deviceInfo, saveDeviceInfo, useMayManageDevices } from './device.queries.ts';
import classes from './device-cards.module.css';

/** Names that the product gives a meaning, or that most fleets use. */
const USUAL_NAMES = [
  'Latitude',
  'Longitude',
  'Site',
  'Address',
  'Installer',
  'Serial number',
  'Contact',
  'Notes',
];

/** The metadata people gave the device: names with texts. Latitude and Longitude place it on the map. */
export function DeviceInfoCard({ device }: { device: Device }) {
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
      Edit
    </Button>
  );
  return (
    <Section title="Information" actions={edit}>
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
          {mayManage
            ? 'Nothing is noted yet. Add where the device stands (Latitude, Longitude put it on the map), whom to call, and what people on site should know.'
            : 'Nothing is noted yet. Somebody with the permission Manage devices can add it.'}
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
  const wg = useWorkgroup();
  const [rows, setRows] = useState<Row[]>(() =>
    [...info, ['', ''] as const].map(([name, value], key) => ({ key, name, value })),
  );
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const change = (key: number, part: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () =>
    setRows([...rows, { key: Math.max(0, ...rows.map((row) => row.key)) + 1, name: '', value: '' }]);

  async function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const fault = faultOf(rows);
    if (fault) return setFailure(fault);
    setSaving(true);
    try {
      const filled = rows.filter((row) => row.name.trim() !== '');
      await saveDeviceInfo(
        wg,
        device.id,
        Object.fromEntries(filled.map((row) => [row.name.trim(), row.value.trim()])),
      );
      notifyDone('The information is saved.');
      onDone();
    } catch (error) {
      setFailure(messageOf(error));
      setSaving(false);
    }
  }

  return (
    <form onSubmit={(event) => void handleSubmit(event)} className={classes.form}>
      {rows.map((row) => (
        <div key={row.key} className={classes.formRow}>
          <Autocomplete
            size="sm"
            aria-label="Name"
            placeholder="Name"
            value={row.name}
            maxLength={80}
            data={USUAL_NAMES.filter((name) => !rows.some((other) => other.name === name))}
            onChange={(name) => change(row.key, { name })}
          />
          <TextInput
            size="sm"
            aria-label={row.name === '' ? 'Value' : `Value of ${row.name}`}
            placeholder="Value"
            value={row.value}
            maxLength={500}
            onChange={(event) => change(row.key, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={row.name === '' ? 'Remove this row' : `Remove ${row.name}`}
            onClick={() => setRows(rows.filter((other) => other.key !== row.key))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      {failure === null ? null : (
        <Text size="sm" c="var(--al-danger)" role="alert">
          {failure}
        </Text>
      )}
      <Group justify="space-between" gap="xs">
        <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
          Add
        </Button>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" size="xs" loading={isSaving}>
            Save
          </Button>
        </Group>
      </Group>
    </form>
  );
}

/** What is wrong with the rows, in words; null when they can be saved. */
function faultOf(rows: readonly Row[]): string | null {
  const names = rows.map((row) => row.name.trim());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) return `${twice} stands here twice.`;
  const nameless = rows.find((row) => row.name.trim() === '' && row.value.trim() !== '');
  return nameless ? `Give the value ${nameless.value.trim()} a name.` : null;
}
