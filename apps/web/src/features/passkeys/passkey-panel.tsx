import type { Passkey } from '@albedo/contract/passkeys/passkeys.schema';
import { Button, Skeleton } from '@mantine/core';
import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import classes from './passkeys.module.css';
import { passkeysQuery, removePasskey } from './passkeys.queries.ts';
import { RecoveryByPasskeyDialog } from './recovery-by-passkey-dialog.tsx';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';

type Open = { dialog: 'add' | 'recovery' } | { dialog: 'rename' | 'remove'; passkey: Passkey };

/** The passkeys of the account: a second factor that takes a touch instead of a code. */
export function PasskeyPanel() {
  const { t } = useTranslation();
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title={t('passkeys.title')}>
      <div className={classes.panel}>
        <p>{t('passkeys.text')}</p>
        {error ? (
          <ErrorState title={t('passkeys.failed')} error={error} onRetry={() => void refetch()} />
        ) : !passkeys ? (
          <Skeleton height={56} />
        ) : passkeys.length === 0 ? (
          <p className={classes.none}>{t('passkeys.none')}</p>
        ) : (
          <ul className={classes.list} aria-label={t('passkeys.title')}>
            {passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey._id}
                passkey={passkey}
                onRename={() => setOpen({ dialog: 'rename', passkey })}
                onRemove={() => setOpen({ dialog: 'remove', passkey })}
              />
            ))}
          </ul>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setOpen({ dialog: 'add' })}>
            {t('passkeys.add')}
          </Button>
          {passkeys?.length ? (
            <Button variant="default" onClick={() => setOpen({ dialog: 'recovery' })}>
              {t('passkeys.newRecoveryCode')}
            </Button>
          ) : null}
        </div>
      </div>
      {open?.dialog === 'add' ? <AddPasskeyDialog onClose={close} /> : null}
      {open?.dialog === 'recovery' ? <RecoveryByPasskeyDialog onClose={close} /> : null}
      {open?.dialog === 'rename' ? <RenamePasskeyDialog passkey={open.passkey} onClose={close} /> : null}
      {open?.dialog === 'remove' ? (
        <ConfirmDialog
          confirm={t('passkeys.remove', { name: open.passkey.name })}
          onClose={close}
          onConfirm={async () => {
            await removePasskey(open.passkey);
            notifyDone(t('passkeys.removed', { name: open.passkey.name }));
          }}
        >
          {t('passkeys.removeText', { name: open.passkey.name })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation();
  const { name, createdAt, lastUsedAt, isSynced } = passkey;
  const day = (at: number) => formatDay(at, userZone());
  const facts = [
    t('passkeys.createdAt', { time: day(createdAt) }),
    lastUsedAt === null ? t('passkeys.neverUsed') : t('passkeys.lastUsedAt', { time: day(lastUsedAt) }),
    ...(isSynced ? [t('passkeys.synced')] : []),
  ];
  return (
    <li className={classes.row}>
      <IconKey size={20} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className={classes.facts}>{facts.join(' · ')}</span>
      </div>
      <button
        type="button"
        className={classes.action}
        aria-label={t('passkeys.rename', { name })}
        title={t('passkeys.rename', { name })}
        onClick={onRename}
      >
        <IconPencil size={18} />
      </button>
      <button
        type="button"
        className={classes.action}
        aria-label={t('passkeys.remove', { name })}
        title={t('passkeys.remove', { name })}
        onClick={onRemove}
      >
        <IconTrash size={18} />
      </button>
    </li>
  );
}
