import { scopeIn } from '@albedo/contract/access/permissions';
import { INVITE_DAYS, newInvite } from '@albedo/contract/members/members.schema';
import { NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t as translate } from 'i18next';
import type { ClipboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ApiError } from '../../app/call.ts';
import { faultsOf } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { availableProvidersQuery } from '../identity-providers/identity-providers.queries.ts';
import { DeviceGroupField } from './device-group-field.tsx';
import classes from './members.module.css';
import { sendInvite } from './members.queries.ts';
import { RoleFields } from './role-fields.tsx';

/** Addresses of one attempt: the server takes 60 in a minute. */
const MOST = 50;

/** What is sent of one invitation, with all the addresses that it goes to. */
const severalInvites = newInvite.extend({
  email: z.string().transform((text, context) => {
    const found = addressesIn(text);
    const fault = found.length > MOST ? translate('members.tooMany', { count: MOST }) : wrongAmong(found);
    if (fault) context.addIssue({ code: 'custom', message: fault });
    return found;
  }),
});

/** Invites somebody by e-mail, or several people with the same rights. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const { data: providers } = useQuery(availableProvidersQuery(wg));
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: severalInvites,
    initial: {
      email: '',
      role: 'readonly',
      permissions: [],
      devGroup: scopeIn(user, wg)?.devGroup ?? null,
      expiresInDays: INVITE_DAYS.default,
      idpId: null,
    },
    wordsFor: (error) =>
      error instanceof ApiError && error.isOfServer ? messageOf(error) : t('members.inviteFailed'),
    refusals: { 'invite.member_already': 'email', 'invite.provider_unknown': 'idpId' },
    send: async ({ email: addresses, ...rights }, change) => {
      const devGroup = rights.role === 'owner' ? null : rights.devGroup;
      // One after the other, so that what is left stands in the field when one is refused.
      for (const [at, email] of addresses.entries()) {
        change({ email: addresses.slice(at).join(', ') });
        await sendInvite(wg, { ...rights, devGroup, email });
      }
      notifyDone(
        addresses.length === 1
          ? t('members.invited', { email: addresses[0] })
          : t('members.invitedMany', { count: addresses.length }),
      );
      onClose();
    },
  });
  const { email, role = 'readonly', permissions = [], devGroup = null, idpId } = values;

  /** A list that is copied from elsewhere has its addresses on lines of their own, which a field would join. */
  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text');
    if (!/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    set({ email: [...addressesIn(email), ...addressesIn(text)].filter(Boolean).join(', ') });
  }

  return (
    <FormDialog
      {...dialog}
      title={t('members.invite')}
      size="lg"
      submit={t('members.send')}
      onClose={onClose}
    >
      <TextInput
        {...field('email')}
        data-autofocus
        inputMode="email"
        label={t('login.email')}
        description={t('members.severalHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        onPaste={handlePaste}
      />
      <RoleFields
        role={role}
        permissions={permissions}
        onChange={(nextRole, next) => set({ role: nextRole, permissions: next })}
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
          error={faultOf('idpId')}
          onChange={(id) => set({ idpId: id || null })}
        />
      ) : null}
      <div className={classes.pair}>
        <DeviceGroupField
          value={devGroup}
          fault={faultOf('devGroup')}
          onChange={(group) => set({ devGroup: group })}
          isOwner={role === 'owner'}
        />
        <NumberInput
          {...field('expiresInDays')}
          label={t('members.days')}
          min={1}
          max={INVITE_DAYS.max}
          allowDecimal={false}
          clampBehavior="strict"
          onChange={(days) => set({ expiresInDays: Number(days) || 1 })}
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

/** What is wrong with the first address that is none, in words; of several ones the sentence names it. */
function wrongAmong(addresses: readonly string[]): string | null {
  for (const address of addresses) {
    const [fault] = Object.values(faultsOf(newInvite.shape.email.safeParse(address).error));
    if (fault) return addresses.length === 1 ? fault : `${address}: ${fault}`;
  }
  return null;
}
