import { newApproval } from '@albedo/contract/approvals/approvals.schema';
import { Text, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { Wanted } from './approvals.queries.ts';
import { wayText } from './way-text.ts';

/** Asks for the approval of what was refused without one. */
export function AskDialog({ wanted, onClose }: { wanted: Wanted; onClose: () => void }) {
  const { t } = useTranslation();
  const { field, dialog } = useContractForm({
    schema: newApproval,
    initial: { reason: '' },
    send: async ({ reason }) => {
      await wanted.ask(reason);
      notifyDone(t('approvals.sent'));
      onClose();
    },
  });
  return (
    <FormDialog {...dialog} title={t('approvals.ask')} submit={t('approvals.ask')} onClose={onClose}>
      <Text size="sm">{t('approvals.askText', { what: wayText(t, wanted) })}</Text>
      <Textarea
        {...field('reason')}
        data-autofocus
        label={t('approvals.reason')}
        description={t('approvals.reasonHelp')}
        rows={3}
        required
      />
    </FormDialog>
  );
}
