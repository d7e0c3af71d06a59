import { Skeleton, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { mfaPolicyQuery, setMfaPolicy } from './members.queries.ts';

/** The same in a section of its own, for people who may change it. */
export function MfaPolicySection() {
  const { t } = useTranslation();
  if (!usePermission('manageAccess')) return null;
  return (
    <Section title={t('workgroup.settings.security')}>
      <MfaPolicy isAlone />
    </Section>
  );
}

interface MfaPolicyProps {
  /** It has a section of its own, which says why it is missing; elsewhere it is left out. */
  isAlone?: boolean;
}

/** Demands two-factor authentication of everybody in the workgroup. */
export function MfaPolicy({ isAlone = false }: MfaPolicyProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: policy, error, refetch } = useQuery(mfaPolicyQuery(wg));
  const [isAsking, setAsking] = useState(false);
  if (!policy) {
    if (!isAlone) return null;
    if (!error) return <Skeleton height={20} width={280} />;
    return <ErrorState title={t('members.mfaPolicyFailed')} error={error} onRetry={() => void refetch()} />;
  }
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
