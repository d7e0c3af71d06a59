import { LONE_PHRASE } from '@albedo/contract/schedules/schedules.names';
import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { Holding } from './holding.ts';
import { LoneFields, useNeeds } from './lone-fields.tsx';
import { releaseSetpoint } from './schedules.queries.ts';
import { valueText } from './values.ts';

interface ReleaseDialogProps {
  holding: Holding;
  deviceName: string;
  onClose: () => void;
}

/** Ends what holds; since that loosens a limit, it needs whom the policy names. */
export function ReleaseDialog({ holding, deviceName, onClose }: ReleaseDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const needs = useNeeds();
  const [reason, setReason] = useState('');
  const [phrase, setPhrase] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { setpoint, value } = holding;
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const text = reason.trim();
    setFault(text === '' ? t('schedules.noReason') : null);
    if (text === '') return;
    const body = { setpoint: setpoint.path, reason: text };
    const kept = await releaseSetpoint(
      wg,
      setpoint.deviceId,
      needs === 'loneOwner' ? { ...body, phrase } : body,
    );
    notifyDone(t(kept.step === 'approval' ? 'schedules.asked' : 'schedules.released'));
    onClose();
  });
  return (
    <FormDialog
      title={t('schedules.releaseTitle', { device: deviceName })}
      submit={t(needs === 'secondPerson' ? 'schedules.ask' : 'schedules.release')}
      isWorking={isWorking}
      isDisabled={needs === 'loneOwner' && phrase !== LONE_PHRASE}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Text size="sm">{t('schedules.releaseSays', { value: valueText(t, setpoint.kind, value) })}</Text>
      <Textarea
        data-autofocus
        label={t('schedules.reason')}
        rows={2}
        maxLength={500}
        value={reason}
        error={fault}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {needs === 'secondPerson' ? (
        <Text size="sm" c="dimmed">
          {t('schedules.needs.secondPerson')}
        </Text>
      ) : null}
      {needs === 'loneOwner' ? <LoneFields phrase={phrase} onChange={setPhrase} /> : null}
    </FormDialog>
  );
}
