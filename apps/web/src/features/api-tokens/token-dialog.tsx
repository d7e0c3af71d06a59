import { holds, scopeIn } from '@albedo/contract/access/permissions';
import {
  type NewApiToken,
  newApiToken,
  TOKEN_LIVES,
  type TokenLife,
  tokenPermission,
} from '@albedo/contract/api-tokens/api-tokens.schema';
import { Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Faults, faultsOf } from '../../app/faults.ts';
import { useSignedIn } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { ChoiceGrid } from '../../ui/choice-grid.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { makeApiToken } from './api-tokens.queries.ts';
import { TokenSecret } from './token-secret.tsx';

const LIVES = Object.keys(TOKEN_LIVES) as TokenLife[];
const ALL_DEVICES = '';

interface Form {
  owner: string;
  email: string;
  expiry: TokenLife;
  canRenew: boolean;
  permissions: string[];
  devGroup: string | null;
}

/** Makes an API token and shows its secret, this once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const own = scopeIn(user, wg);
  const { data: groups = [] } = useQuery(deviceGroupsQuery(wg));
  const [form, setForm] = useState<Form>({
    owner: '',
    email: '',
    expiry: '2 months',
    canRenew: false,
    permissions: ['read'],
    devGroup: own?.devGroup ?? null,
  });
  const [faults, setFaults] = useState<Faults<NewApiToken>>({});
  const [secret, setSecret] = useState<string | null>(null);
  const set = (part: Partial<Form>) => setForm((old) => ({ ...old, ...part }));
  const offered = tokenPermission.options.filter((one) => one === 'read' || (own && holds(own, one)));
  const groupChoices = [
    ...(own?.devGroup ? [] : [{ value: ALL_DEVICES, label: t('apiTokens.allDevices') }]),
    ...groups.map(({ _id, name }) => ({ value: _id, label: name })),
  ];

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const parsed = newApiToken.safeParse(form);
    setFaults(faultsOf(parsed.error));
    if (!parsed.success) return;
    setSecret(await makeApiToken(wg, parsed.data));
  });

  if (secret !== null) return <TokenSecret secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={t('apiTokens.new')}
      size="lg"
      submit={t('apiTokens.create')}
      isWorking={isWorking}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('apiTokens.owner')}
        description={t('apiTokens.ownerHelp')}
        autoComplete="off"
        value={form.owner}
        error={faults.owner}
        onChange={(event) => set({ owner: event.currentTarget.value })}
      />
      <TextInput
        type="email"
        label={t('apiTokens.email')}
        description={t('apiTokens.emailHelp')}
        autoComplete="off"
        value={form.email}
        error={faults.email}
        onChange={(event) => set({ email: event.currentTarget.value })}
      />
      <Select
        label={t('apiTokens.expiry')}
        allowDeselect={false}
        value={form.expiry}
        data={LIVES.map((value) => ({ value, label: t(`apiTokens.lives.${value}`) }))}
        onChange={(expiry) => expiry && set({ expiry: expiry as TokenLife })}
      />
      <Switch
        label={t('apiTokens.canRenew')}
        description={t('apiTokens.canRenewHelp')}
        checked={form.canRenew}
        onChange={(event) => set({ canRenew: event.currentTarget.checked })}
      />
      <ChoiceGrid
        label={t('members.permissions')}
        help={t('apiTokens.fixed')}
        value={form.permissions}
        onChange={(permissions) => set({ permissions })}
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
        value={form.devGroup ?? ALL_DEVICES}
        data={groupChoices}
        onChange={(value) => set({ devGroup: value || null })}
      />
    </FormDialog>
  );
}
