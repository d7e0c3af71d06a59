import type { Permission, Role } from '@albedo/contract/access/permissions';
import { scopeIn } from '@albedo/contract/access/permissions';
import { INVITE_DAYS, type NewInvite, newInvite } from '@albedo/contract/members/members.schema';
import { NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Faults, faultsOf } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { availableProvidersQuery } from '../identity-providers/identity-providers.queries.ts';
import { DeviceGroupField } from './device-group-field.tsx';
import classes from './members.module.css';
import { sendInvite } from './members.queries.ts';
import { RoleFields } from './role-fields.tsx';

/** Addresses of one attempt: the server takes 60 in a minute. */
const MOST = 50;

/** Invites somebody by e-mail, or several people with the same rights. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('readonly');
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const [devGroup, setDevGroup] = useState(scopeIn(user, wg)?.devGroup ?? null);
  const [expiresInDays, setExpiresInDays] = useState<number>(INVITE_DAYS.default);
  const { data: providers } = useQuery(availableProvidersQuery(wg));
  const [idpId, setIdpId] = useState<string | null>(null);
  const [faults, setFaults] = useState<Faults<NewInvite>>({});

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const rights = { role, permissions, expiresInDays, idpId, devGroup: role === 'owner' ? null : devGroup };
    const addresses = addressesIn(email);
    if (addresses.length > MOST) return setFaults({ email: t('members.tooMany', { count: MOST }) });
    const parsed = addresses.map((one) => newInvite.safeParse({ email: one, ...rights }));
    const wrong = parsed.findIndex(({ success }) => !success);
    setFaults(wrong < 0 ? {} : named(faultsOf(parsed[wrong]?.error), addresses, wrong));
    if (wrong >= 0) return;
    // One after the other, so that what is left stands in the field when one is refused.
    for (const [at, { data }] of parsed.entries()) {
      setEmail(addresses.slice(at).join(', '));
      if (data) await sendInvite(wg, data);
    }
    notifyDone(
      addresses.length === 1
        ? t('members.invited', { email: addresses[0] })
        : t('members.invitedMany', { count: addresses.length }),
    );
    onClose();
  });

  /** A list that is copied from elsewhere has its addresses on lines of their own, which a field would join. */
  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text');
    if (!/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    setEmail([...addressesIn(email), ...addressesIn(text)].filter(Boolean).join(', '));
  }

  return (
    <FormDialog
      title={t('members.invite')}
      size="lg"
      submit={t('members.send')}
      isWorking={isWorking}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        inputMode="email"
        label={t('login.email')}
        description={t('members.severalHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        onPaste={handlePaste}
        value={email}
        error={faults.email}
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
          label={t('identityProviders.invite.label')}
          description={t('identityProviders.invite.help')}
          allowDeselect={false}
          comboboxProps={{ withinPortal: true }}
          data={[
            { value: '', label: t('identityProviders.invite.password') },
            ...providers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={idpId ?? ''}
          onChange={(id) => setIdpId(id || null)}
        />
      ) : null}
      <div className={classes.pair}>
        <DeviceGroupField value={devGroup} onChange={setDevGroup} isOwner={role === 'owner'} />
        <NumberInput
          label={t('members.days')}
          min={1}
          max={INVITE_DAYS.max}
          allowDecimal={false}
          clampBehavior="strict"
          value={expiresInDays}
          error={faults.expiresInDays}
          onChange={(days) => setExpiresInDays(Number(days) || 1)}
        />
      </div>
    </FormDialog>
  );
}

/** Each address once; an empty one where there is none. */
function addressesIn(text: string): string[] {
  const all = text.split(/[\s,;]+/).filter(Boolean);
  return all.length === 0 ? [''] : [...new Set(all)];
}

/** Of several addresses the sentence names the one that is wrong. */
function named(faults: Faults<NewInvite>, addresses: readonly string[], wrong: number): Faults<NewInvite> {
  if (addresses.length === 1 || !faults.email) return faults;
  return { ...faults, email: `${addresses[wrong]}: ${faults.email}` };
}
