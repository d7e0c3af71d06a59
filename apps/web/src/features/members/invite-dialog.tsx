import type { Permission, Role } from '@albedo/contract/access/permissions';
import { INVITE_DAYS, newInvite } from '@albedo/contract/members/members.schema';
import { Button, Group, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf, notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import classes from './members.module.css';
import { sendInvite } from './members.queries.ts';
import { RoleFields } from './role-fields.tsx';

/** Invites somebody by e-mail. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('readonly');
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const [expiresInDays, setExpiresInDays] = useState<number>(INVITE_DAYS.default);
  const [isWorking, setWorking] = useState(false);
  const [emailProblem, setEmailProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const parsed = newInvite.safeParse({ email, role, permissions, expiresInDays });
    setFailure(null);
    setEmailProblem(parsed.success ? null : (parsed.error.issues[0]?.message ?? null));
    if (!parsed.success) return;
    setWorking(true);
    try {
      await sendInvite(wg, parsed.data);
      notifyDone(t('members.invited', { email: parsed.data.email }));
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setWorking(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('members.invite')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate onSubmit={(event) => void handleSubmit(event)}>
        <Stack gap="md">
          <TextInput
            data-autofocus
            type="email"
            label={t('login.email')}
            autoComplete="off"
            value={email}
            error={emailProblem}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <RoleFields
            role={role}
            permissions={permissions}
            onChange={(nextRole, next) => {
              setRole(nextRole);
              setPermissions(next);
            }}
          />
          <NumberInput
            label={t('members.days')}
            min={1}
            max={INVITE_DAYS.max}
            allowDecimal={false}
            clampBehavior="strict"
            value={expiresInDays}
            onChange={(days) => setExpiresInDays(Number(days) || 1)}
          />
          <p role="alert" className={classes.failure} hidden={failure === null}>
            {failure}
          </p>
        </Stack>
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={isWorking}>
            {t('members.send')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
