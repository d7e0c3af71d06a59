import { scopeIn } from '@albedo/contract/access/permissions';
import type { MemberInfo } from '@albedo/contract/members/members.schema';
import { Button } from '@mantine/core';
import { IconDevices, IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { runBulk } from '../../app/run-bulk.ts';
import { useSignedIn } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { severalNames } from '../../ui/several-names.ts';
import { DeviceGroupField } from './device-group-field.tsx';
import classes from './members.module.css';
import { bindMembers, removeMembers } from './members.queries.ts';

interface MembersBulkProps {
  members: readonly MemberInfo[];
  onDone: () => void;
}

const nameOf = ({ name }: MemberInfo): string => name;

/** What can be done with several members at once; whoever does it is left out. */
export function MembersBulk({ members, onDone }: MembersBulkProps) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const [open, setOpen] = useState<'group' | 'remove' | null>(null);
  const others = members.filter(({ _id }) => _id !== user._id);
  const count = others.length;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDevices size={16} />}
        disabled={count === 0}
        onClick={() => setOpen('group')}
      >
        {t('members.deviceGroup')}
      </Button>
      <Button
        variant="subtle"
        color="var(--al-danger)"
        leftSection={<IconUserMinus size={16} />}
        disabled={count === 0}
        onClick={() => setOpen('remove')}
      >
        {t('members.removeShort')}
      </Button>
      {open === 'group' ? (
        <GroupDialog members={others} onDone={onDone} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'remove' ? (
        <ConfirmDialog
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            await runBulk(others, nameOf, (ids) => removeMembers(workgroup, ids));
            notifyDone(t('members.removedMany', { count }));
            onDone();
          }}
        >
          {t('members.removeMany', { count })} {severalNames(t, others.map(nameOf))}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Binds several members to one device group; owners see every device and stay as they are. */
function GroupDialog({ members, onDone, onClose }: MembersBulkProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const [devGroup, setDevGroup] = useState(scopeIn(user, workgroup)?.devGroup ?? null);
  const bound = members.filter(({ role }) => role !== 'owner');
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await runBulk(bound, nameOf, (ids) => bindMembers(workgroup, ids, devGroup));
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
