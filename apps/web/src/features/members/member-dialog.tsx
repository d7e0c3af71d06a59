import type { MemberInfo } from '@albedo/contract/members/members.schema';
import { Button, Switch } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
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

/** Changes what a member may do; the member has to sign in again. */
export function MemberDialog({ member, isOnlyOwner, onRemove, onClose }: MemberDialogProps) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const [role, setRole] = useState(member.role);
  const [permissions, setPermissions] = useState(member.permissions);
  const [devGroup, setDevGroup] = useState(member.devGroup);
  const [mfaRequired, setMfaRequired] = useState(member.mfaRequired);
  const isOneself = member._id === user._id;

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const change = { role, permissions, mfaRequired, devGroup: role === 'owner' ? null : devGroup };
    await changeMember(workgroup, member._id, change);
    notifyDone(t('members.changed', { name: member.name }));
    onClose();
  });

  return (
    <FormDialog
      title={t('members.changeTitle', { name: member.name })}
      size="lg"
      isWorking={isWorking}
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
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <p className={classes.note}>
        {member.email} · {t('members.lastSignIn')}: {signInText(t, member)}
      </p>
      <RoleFields
        isRoleFixed={isOnlyOwner}
        role={role}
        permissions={permissions}
        onChange={(nextRole, next) => {
          setRole(nextRole);
          setPermissions(next);
        }}
      />
      <DeviceGroupField value={devGroup} onChange={setDevGroup} isOwner={role === 'owner'} />
      <Switch
        label={t('members.mfaRequired')}
        description={t('members.mfaRequiredHelp')}
        checked={mfaRequired}
        onChange={(event) => setMfaRequired(event.currentTarget.checked)}
      />
      {isOnlyOwner ? <p className={classes.note}>{t('members.onlyOwner', { name: member.name })}</p> : null}
      <p className={classes.note}>
        {isOneself ? t('members.ownSessionEnds') : t('members.sessionsEnd', { name: member.name })}
      </p>
    </FormDialog>
  );
}
