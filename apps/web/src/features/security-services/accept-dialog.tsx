import type {
  SecurityFinding,
  SecurityJob,
} from '@albedo/contract/security-services/security-services.schema';
import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { acceptFindings } from './security-services.queries.ts';

interface AcceptDialogProps {
  job: SecurityJob;
  findings: readonly SecurityFinding[];
  onClose: () => void;
}

const accepting = z.object({ note: z.string().trim().min(1).max(500) });

/** Accepts findings, and says why. */
export function AcceptDialog({ job, findings, onClose }: AcceptDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { field, dialog } = useContractForm({
    schema: accepting,
    initial: { note: '' },
    send: async ({ note }) => {
      await acceptFindings(
        wg,
        job,
        findings.map(({ key }) => key),
        note,
      );
      onClose();
    },
  });
  const [only] = findings;
  const title =
    findings.length === 1 && only
      ? t('securityServices.acceptOne', { key: only.key })
      : t('securityServices.acceptMany', { count: findings.length });
  return (
    <FormDialog {...dialog} title={title} submit={t('securityServices.accept')} onClose={onClose}>
      <Textarea
        {...field('note')}
        data-autofocus
        label={t('securityServices.note')}
        description={t('securityServices.noteHelp')}
        rows={3}
        maxLength={500}
      />
    </FormDialog>
  );
}
