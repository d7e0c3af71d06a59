import { scopeIn } from '@albedo/contract/access/permissions';
import type { MemberInfo } from '@albedo/contract/members/members.schema';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { runBulk } from '../../app/run-bulk.ts';
import { useSignedIn } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { DeviceGroupField } from './device-group-field.tsx';
import classes from './members.module.css';
import { bindMembers } from './members.queries.ts';

interface MembersGroupDialogProps {
  members: readonly MemberInfo[];
  onDone: () => void;
  onClose: () => void;
}

/** Puts several members into one device group; owners see every device and stay as they are. */
export function MembersGroupDialog({ members, onDone, onClose }: MembersGroupDialogProps) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const [devGroup, setDevGroup] = useState(scopeIn(user, workgroup)?.devGroup ?? null);
  const bound = members.filter(({ role }) => role !== 'owner');
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await runBulk(
      bound,
      ({ name }) => name,
      (ids) => bindMembers(workgroup, ids, devGroup),
    );
    notifyDone(t('members.changedMany', { count: bound.length }));
    onDone();
    onClose();
  });
  return (
    <FormDialog
      title={t('members.groupOfMany', { count: bound.length })}
      isWorking={isWorking}
      isDisabled={bound.length === 0}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <DeviceGroupField value={devGroup} onChange={setDevGroup} isOwner={false} />
      <p className={classes.note}>{t('members.sessionsEndMany')}</p>
      {bound.length < members.length ? <p className={classes.note}>{t('members.ownersStay')}</p> : null}
    </FormDialog>
  );
}
