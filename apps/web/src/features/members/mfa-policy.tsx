import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { mfaPolicyQuery, setMfaPolicy } from './members.queries.ts';

/** Demands two-factor authentication of everybody in the workgroup. */
export function MfaPolicy() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: policy } = useQuery(mfaPolicyQuery(wg));
  const [isAsking, setAsking] = useState(false);
  if (!policy) return null;
  return (
    <>
      <Switch label={t('members.mfaPolicy')} checked={policy.required} onChange={() => setAsking(true)} />
      {isAsking ? (
        <ConfirmDialog
          isHarmless={!policy.required}
          onClose={() => setAsking(false)}
          onConfirm={() => setMfaPolicy(wg, !policy.required)}
        >
          {policy.required ? t('members.mfaPolicyOff') : t('members.mfaPolicyOn')}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
