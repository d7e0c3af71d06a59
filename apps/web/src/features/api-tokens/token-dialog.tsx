import { holds, type Permission, scopeIn } from '@albedo/contract/access/permissions';
import {
  CONFIGURING,
  newApiToken,
  TOKEN_LIVES,
  type TokenLife,
  tokenPermission,
} from '@albedo/contract/api-tokens/api-tokens.schema';
import { Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { ChoiceGrid } from '../../ui/choice-grid.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { makeApiToken } from './api-tokens.queries.ts';
import { TokenSecret } from './token-secret.tsx';

const LIVES = Object.keys(TOKEN_LIVES) as TokenLife[];
const ALL_DEVICES = '';

/** Makes an API token and shows its secret, this once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const own = scopeIn(user, wg);
  const { data: groups = [] } = useQuery(deviceGroupsQuery(wg));
  const [secret, setSecret] = useState<string | null>(null);
  const { values, set, field, dialog } = useContractForm({
    schema: newApiToken,
    initial: {
      owner: '',
      email: '',
      expiry: '2 months',
      canRenew: false,
      permissions: ['read'],
      devGroup: own?.devGroup ?? null,
    },
    send: async (value) => setSecret(await makeApiToken(wg, value)),
  });
  const mayGive = (one: Permission) =>
    one === CONFIGURING ? own?.role === 'owner' : one === 'read' || (own !== undefined && holds(own, one));
  const offered = tokenPermission.options.filter(mayGive);
  const isConfiguring = (values.permissions ?? []).includes(CONFIGURING);
  const groupChoices = [
    ...(own?.devGroup ? [] : [{ value: ALL_DEVICES, label: t('apiTokens.allDevices') }]),
    ...groups.map(({ _id, name }) => ({ value: _id, label: name })),
  ];

  if (secret !== null) return <TokenSecret secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      {...dialog}
      title={t('apiTokens.new')}
      size="lg"
      submit={t('apiTokens.create')}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('apiTokens.owner')}
        description={t('apiTokens.ownerHelp')}
        autoComplete="off"
        {...field('owner')}
      />
      <TextInput
        type="email"
        label={t('apiTokens.email')}
        description={t('apiTokens.emailHelp')}
        autoComplete="off"
        {...field('email')}
      />
      <Select
        label={t('apiTokens.expiry')}
        allowDeselect={false}
        value={values.expiry}
        data={LIVES.map((value) => ({ value, label: t(`apiTokens.lives.${value}`) }))}
        onChange={(expiry) => expiry && set({ expiry: expiry as TokenLife })}
      />
      <Switch
        label={t('apiTokens.canRenew')}
        description={t(isConfiguring ? 'apiTokens.configures' : 'apiTokens.canRenewHelp')}
        disabled={isConfiguring}
        checked={values.canRenew === true && !isConfiguring}
        onChange={(event) => set({ canRenew: event.currentTarget.checked })}
      />
      <ChoiceGrid
        label={t('members.permissions')}
        help={t('apiTokens.fixed')}
        value={values.permissions ?? []}
        onChange={(given) => {
          const permissions = given as typeof values.permissions;
          set({ permissions, ...(permissions?.includes(CONFIGURING) ? { canRenew: false } : {}) });
        }}
        choices={offered.map((value) => ({
          value,
          label: t(`members.permission.${value}`),
          help: t(`members.permissionHelp.${value}`),
          isDisabled: value === 'read',
        }))}
      />
      <Select
        label={t('apiTokens.devGroup')}
        description={t('apiTokens.devGroupHelp')}
        allowDeselect={false}
        searchable
        value={values.devGroup ?? ALL_DEVICES}
        data={groupChoices}
        onChange={(value) => set({ devGroup: value || null })}
      />
    </FormDialog>
  );
}
