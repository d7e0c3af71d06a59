import { holds, scopeIn } from '@albedo/contract/access/permissions';
import { newPlace } from '@albedo/contract/device-identity/device-identity.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Group, Modal, Select, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSignedIn, useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './device-identity.module.css';
import { moveDevice } from './device-identity.queries.ts';

/** To which workgroup the device goes; those in which the user may manage devices. */
export function MoveDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const { user, workgroups } = useSignedIn();
  const choices = (workgroups ?? []).filter(({ name }) => {
    const scope = scopeIn(user, name);
    return name !== wg && scope && !scope.devGroup && holds(scope, 'manageDevices');
  });
  const { field, dialog } = useContractForm({
    schema: newPlace,
    initial: { workgroupId: choices[0]?.name ?? '', name: device.name as string | undefined },
    refusals: { 'device.name_taken': 'name', 'device.move_nowhere': 'workgroupId' },
    send: async ({ workgroupId, name }) => {
      await moveDevice({ wg, device: device.id }, workgroupId, name ?? device.name);
      const to = choices.find((one) => one.name === workgroupId)?.displayName ?? workgroupId;
      notifyDone(t('deviceIdentity.moved', { name: device.name, workgroup: to }));
      onClose();
      await navigate({ to: '/devices' });
    },
  });
  const { onChange, value, ...chosen } = field('workgroupId');
  const { value: name, ...named } = field('name');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deviceIdentity.moveTitle', { name: device.name })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {choices.length === 0 ? (
        <Text size="sm">{t('deviceIdentity.moveNowhere')}</Text>
      ) : (
        <form onSubmit={dialog.onSubmit} noValidate className={classes.stack}>
          <Select
            {...chosen}
            label={t('deviceIdentity.workgroup')}
            data={choices.map((one) => ({ value: one.name, label: one.displayName }))}
            value={(value as string) || null}
            allowDeselect={false}
            searchable
            onChange={(next) => onChange(next ?? '')}
          />
          <TextInput
            {...named}
            value={(name as string | undefined) ?? ''}
            label={t('deviceIdentity.nameThere')}
          />
          <Text size="sm">{t('deviceIdentity.moveMeans')}</Text>
          <Failure text={dialog.failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" loading={dialog.isWorking}>
              {t('deviceIdentity.move')}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}
