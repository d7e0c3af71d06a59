import { type MemberInfo, memberChange } from '@albedo/contract/members/members.schema';
import { Button, Switch } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { DeviceGroupField } from './device-group-field.tsx';
import classes from './members.module.css';
import { changeMember } from './members.queries.ts';
import { RoleFields } from './role-fields.tsx';
import { signInText } from './sign-in-text.ts';

interface MemberDialogProps {
  member: MemberInfo;
  /** Nobody else owns the workgroup, so the member stays its owner. */
  isOnlyOwner: boolean;
  onRemove: () => void;
  onClose: () => void;
}

const wholeChange = memberChange.required();

/** Changes what a member may do; the member has to sign in again. */
export function MemberDialog({ member, isOnlyOwner, onRemove, onClose }: MemberDialogProps) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const { role, permissions, devGroup, mfaRequired } = member;
  const { values, set, faultOf, dialog } = useContractForm({
    schema: wholeChange,
    initial: { role, permissions, devGroup, mfaRequired },
    refusals: { 'device_group.not_found': 'devGroup', 'device_group.owner': 'devGroup' },
    send: async (change) => {
      const group = change.role === 'owner' ? null : change.devGroup;
      await changeMember(workgroup, member._id, { ...change, devGroup: group });
      notifyDone(t('members.changed', { name: member.name }));
      onClose();
    },
  });
  const isOneself = member._id === user._id;

  return (
    <FormDialog
      {...dialog}
      title={t('members.changeTitle', { name: member.name })}
      size="lg"
      aside={
        isOnlyOwner ? null : (
          <Button
            variant="subtle"
            color="var(--al-danger)"
            leftSection={<IconUserMinus size={16} />}
            onClick={onRemove}
          >
            {t('members.removeShort')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <p className={classes.note}>
        {member.email} · {t('members.lastSignIn')}: {signInText(t, member)}
      </p>
      <RoleFields
        isRoleFixed={isOnlyOwner}
        role={values.role}
        permissions={values.permissions}
        onChange={(nextRole, next) => set({ role: nextRole, permissions: next })}
      />
      <DeviceGroupField
        value={values.devGroup}
        fault={faultOf('devGroup')}
        onChange={(group) => set({ devGroup: group })}
        isOwner={values.role === 'owner'}
      />
      <Switch
        label={t('members.mfaRequired')}
        description={t('members.mfaRequiredHelp')}
        checked={values.mfaRequired}
        onChange={(event) => set({ mfaRequired: event.currentTarget.checked })}
      />
      {isOnlyOwner ? <p className={classes.note}>{t('members.onlyOwner', { name: member.name })}</p> : null}
      <p className={classes.note}>
        {isOneself ? t('members.ownSessionEnds') : t('members.sessionsEnd', { name: member.name })}
      </p>
    </FormDialog>
  );
}
