import { isSetpointPath } from '@albedo/contract/schedules/schedules.names';
import { SETPOINT_KINDS, type SetpointKind } from '@albedo/contract/schedules/setpoints';
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { kindText } from './holding-text.ts';

/** Names a setpoint of devices by its provider and its kind. */
export function PathDialog({ onAdd, onClose }: { onAdd: (path: string) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [provider, setProvider] = useState('operator');
  const [kind, setKind] = useState<SetpointKind>('setpoint_activepower');
  const path = `${provider.trim()}/${kind}`;
  const isPath = isSetpointPath(path);
  const { isWorking, failure, handleSubmit } = useSubmit(async () => onAdd(path));
  return (
    <FormDialog
      title={t('schedules.shared.addPath')}
      submit={t('schedules.shared.addPath')}
      isWorking={isWorking}
      isDisabled={!isPath}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Select
        label={t('schedules.setpoint')}
        value={kind}
        allowDeselect={false}
        data={SETPOINT_KINDS.map((value) => ({ value, label: kindText(t, value) }))}
        onChange={(next) => next && setKind(next as SetpointKind)}
      />
      <TextInput
        label={t('schedules.shared.provider')}
        description={t('schedules.shared.providerHelp')}
        value={provider}
        error={isPath ? null : t('schedules.shared.badProvider')}
        onChange={(event) => setProvider(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
