import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { CopyIcon } from '../../ui/copy-id.tsx';
import { Failure } from '../../ui/failure.tsx';
import classes from './device-identity.module.css';
import { offerKeys } from './device-identity.queries.ts';

/** A command for a machine whose agent cannot connect any more. It is made when it is asked for: it is good once. */
export function KeysDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [command, setCommand] = useState<string | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  const handleMake = () => attempt(async () => setCommand(await offerKeys({ wg, device: device.id })));
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('deviceIdentity.keys')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={classes.way}>
        <Text size="sm">{t('deviceIdentity.keysHow', { name: device.name })}</Text>
        {command === null ? null : (
          <>
            <Textarea
              readOnly
              autosize
              className={classes.wide ?? ''}
              classNames={{ input: classes.command ?? '' }}
              label={t('deviceIdentity.command')}
              value={command}
              rightSection={<CopyIcon value={command} label={t('install.command')} />}
            />
            <Text size="sm">{t('deviceIdentity.keysOnce')}</Text>
          </>
        )}
        <Failure text={failure} />
      </div>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('actions.close')}
        </Button>
        {command === null ? (
          <Button loading={isWorking} onClick={() => void handleMake()}>
            {t('deviceIdentity.makeCommand')}
          </Button>
        ) : null}
      </Group>
    </Modal>
  );
}
