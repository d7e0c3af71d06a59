import type { Permission, Role } from '@albedo/contract/access/permissions';
import { INVITE_DAYS, newInvite } from '@albedo/contract/members/members.schema';
import { Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { availableProvidersQuery } from '../identity-providers/identity-providers.queries.ts';
import { DeviceGroupField } from './device-group-field.tsx';
import { sendInvite } from './members.queries.ts';
import { RoleFields } from './role-fields.tsx';

/** Invites somebody by e-mail. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('readonly');
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const [devGroup, setDevGroup] = useState(user.scopes[wg]?.devGroup ?? null);
  const [expiresInDays, setExpiresInDays] = useState<number>(INVITE_DAYS.default);
  const { data: providers } = useQuery(availableProvidersQuery(wg));
  const [idpId, setIdpId] = useState<string | null>(null);
  const [emailProblem, setEmailProblem] = useState<string | null>(null);

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const parsed = newInvite.safeParse({
      email,
      role,
      permissions,
      expiresInDays,
      idpId,
      devGroup: role === 'owner' ? null : devGroup,
    });
    setEmailProblem(parsed.success ? null : (parsed.error.issues[0]?.message ?? null));
    if (!parsed.success) return;
    await sendInvite(wg, parsed.data);
    notifyDone(t('members.invited', { email: parsed.data.email }));
    onClose();
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('members.invite')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate onSubmit={handleSubmit}>
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
          {providers && providers.length > 0 ? (
            <Select
              label={t('sso.invite.label')}
              description={t('sso.invite.help')}
              allowDeselect={false}
              comboboxProps={{ withinPortal: true }}
              data={[
                { value: '', label: t('sso.invite.password') },
                ...providers.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={idpId ?? ''}
              onChange={(id) => setIdpId(id || null)}
            />
          ) : null}
          <DeviceGroupField value={devGroup} onChange={setDevGroup} isOwner={role === 'owner'} />
          <NumberInput
            label={t('members.days')}
            min={1}
            max={INVITE_DAYS.max}
            allowDecimal={false}
            clampBehavior="strict"
            value={expiresInDays}
            onChange={(days) => setExpiresInDays(Number(days) || 1)}
          />
          <Failure text={failure} />
        </Stack>
        <FormButtons submit={t('members.send')} isWorking={isWorking} onCancel={onClose} />
      </form>
    </Modal>
  );
}
