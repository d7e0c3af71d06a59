import type { Invite } from '@albedo/contract/members/members.schema';
import { Button } from '@mantine/core';
import { IconMailForward, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { runBulk } from '../../app/run-bulk.ts';
import { useWorkgroup } from '../../app/session.ts';
import { changeInvites } from './members.queries.ts';

/** What can be done with several invitations at once. */
export function InvitesBulk({ invites, onDone }: { invites: readonly Invite[]; onDone: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [open, setOpen] = useState<'resend' | 'remove' | null>(null);
  const count = invites.length;
  return (
    <>
      <Button variant="default" leftSection={<IconMailForward size={16} />} onClick={() => setOpen('resend')}>
        {t('members.resend')}
      </Button>
      <Button
        variant="subtle"
        color="var(--al-danger)"
        leftSection={<IconTrash size={16} />}
        onClick={() => setOpen('remove')}
      >
        {t('members.removeInvite')}
      </Button>
      {open ? (
        <ConfirmDialog
          isHarmless={open === 'resend'}
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            await runBulk(
              invites,
              ({ email }) => email,
              (ids) => changeInvites(wg, ids, open),
            );
            notifyDone(t(`members.${open}ManyDone`, { count }));
            onDone();
          }}
        >
          {t(`members.${open}ManyText`, { count })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
