import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InviteDialog } from './invite-dialog.tsx';

/** Opens the dialog that invites. */
export function InviteButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconUserPlus size={16} />} onClick={() => setOpen(true)}>
        {t('members.invite')}
      </Button>
      {isOpen ? <InviteDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
