import type { Device } from '@albedo/contract/devices/devices.schema';
import type { SourceRoles } from '@albedo/contract/field-roles/field-roles.schema';
import { Button, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldRolesQuery } from '../../app/field-roles-query.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { FieldRolesDialog } from './field-roles-dialog.tsx';

/** How many fields of the device are understood; those who manage devices correct them. Nothing without sources. */
export function FieldRolesCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const canManage = usePermission('manageDevices');
  const { data } = useQuery(fieldRolesQuery(wg, device.id));
  const [isOpen, setOpen] = useState(false);
  if (!data || data.length === 0) return null;
  const fields = data.flatMap((source) => source.fields);
  const corrected = fields.filter(({ choice }) => choice !== null).length;
  const edit = canManage ? (
    <Button variant="subtle" size="xs" leftSection={<IconPencil size={14} />} onClick={() => setOpen(true)}>
      {t('plants.roles.correct')}
    </Button>
  ) : null;
  return (
    <Section title={t('plants.roles.title')} actions={edit}>
      <Text size="sm">
        {t('plants.roles.understood', {
          count: fields.length,
          known: fields.filter(({ role }) => role !== null).length,
        })}
        {corrected > 0 ? ` ${t('plants.roles.corrected', { count: corrected })}` : ''}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {kinds(data)
          .map(({ kind, count }) => `${t(`plants.roles.kinds.${kind}`)} ${count}`)
          .join(' · ')}
      </Text>
      {isOpen ? <FieldRolesDialog device={device} sources={data} onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}

const kinds = (sources: readonly SourceRoles[]) =>
  [...Map.groupBy(sources, ({ kind }) => kind)].map(([kind, those]) => ({ kind, count: those.length }));
