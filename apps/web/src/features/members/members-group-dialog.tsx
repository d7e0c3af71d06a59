import { scopeIn } from '@albedo/contract/access/permissions';
import { type MemberInfo, memberChange } from '@albedo/contract/members/members.schema';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { runBulk } from '../../app/run-bulk.ts';
import { useSignedIn } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { DeviceGroupField } from './device-group-field.tsx';
import classes from './members.module.css';
import { bindMembers } from './members.queries.ts';

interface MembersGroupDialogProps {
  members: readonly MemberInfo[];
  onDone: () => void;
  onClose: () => void;
}

const groupChange = memberChange.pick({ devGroup: true }).required();

/** Puts several members into one device group; owners see every device and stay as they are. */
export function MembersGroupDialog({ members, onDone, onClose }: MembersGroupDialogProps) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const bound = members.filter(({ role }) => role !== 'owner');
  const { values, set, dialog } = useContractForm({
    schema: groupChange,
    initial: { devGroup: scopeIn(user, workgroup)?.devGroup ?? null },
    send: async ({ devGroup }) => {
      await runBulk(
        bound,
        ({ name }) => name,
        (ids) => bindMembers(workgroup, ids, devGroup),
      );
      notifyDone(t('members.changedMany', { count: bound.length }));
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog
      {...dialog}
      title={t('members.groupOfMany', { count: bound.length })}
      isDisabled={bound.length === 0}
      onClose={onClose}
    >
      <DeviceGroupField value={values.devGroup} onChange={(devGroup) => set({ devGroup })} isOwner={false} />
      <p className={classes.note}>{t('members.sessionsEndMany')}</p>
      {bound.length < members.length ? <p className={classes.note}>{t('members.ownersStay')}</p> : null}
    </FormDialog>
  );
}
