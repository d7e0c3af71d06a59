import { networkVariable, onNetworkVariable } from '@albedo/contract/cloud-devices/cloud-devices.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { ActionIcon, Button, FileButton, PasswordInput, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { agoText } from '../../ui/units/durations.ts';
import classes from './cloud-devices.module.css';
import {
  networkSettingsQuery,
  removeNetworkFile,
  removeNetworkVariable,
  setNetworkFile,
  setNetworkVariable,
} from './cloud-devices.queries.ts';

/** Credentials by which a cloud device joins its plant: they can be written and never read. */
export function NetworkSettingsCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error } = useQuery(networkSettingsQuery(wg, device.id));
  const { attempt, failure, isWorking } = useAttempt();
  const upload = (file: File | null) =>
    file &&
    void attempt(async () => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
      await setNetworkFile(wg, device.id, file.name, btoa(text));
    });
  return (
    <Section title={t('cloudDevices.network')}>
      <p className={classes.hint}>{t('cloudDevices.networkText')}</p>
      <Failure text={failure ?? error?.message ?? null} />
      <h3 className={classes.head}>{t('cloudDevices.files')}</h3>
      <Secrets
        all={data?.files ?? []}
        none={t('cloudDevices.noFiles')}
        onRemove={(name) => removeNetworkFile(wg, device.id, name)}
      />
      <FileButton onChange={upload}>
        {(props) => (
          <Button {...props} variant="default" loading={isWorking}>
            {t('cloudDevices.upload')}
          </Button>
        )}
      </FileButton>
      <h3 className={classes.head}>{t('cloudDevices.environment')}</h3>
      <Secrets
        all={data?.environment ?? []}
        none={t('cloudDevices.noVariables')}
        onRemove={(name) => removeNetworkVariable(wg, device.id, name)}
      />
      <VariableForm device={device} />
    </Section>
  );
}

interface SecretsProps {
  all: readonly { name: string; bytes: number; changedAt: number }[];
  none: string;
  onRemove: (name: string) => Promise<void>;
}

function Secrets({ all, none, onRemove }: SecretsProps) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const [asked, setAsked] = useState<string | null>(null);
  if (all.length === 0) return <p className={classes.hint}>{none}</p>;
  return (
    <ul className={classes.secrets}>
      {all.map(({ name, bytes, changedAt }) => (
        <li key={name}>
          <code>{name}</code>
          <span>{t('cloudDevices.written', { count: bytes, ago: agoText(changedAt, now) })}</span>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('cloudDevices.remove', { name })}
            onClick={() => setAsked(name)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </li>
      ))}
      {asked === null ? null : (
        <ConfirmDialog
          confirm={t('cloudDevices.remove', { name: asked })}
          onConfirm={() => onRemove(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </ul>
  );
}

const EXAMPLE_VARIABLE = 'VPN_USER';
const variable = networkVariable.extend({ name: onNetworkVariable.shape.variable });

function VariableForm({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { field, dialog } = useContractForm({
    schema: variable,
    initial: { name: '', value: '' },
    send: async ({ name, value }, set) => {
      await setNetworkVariable(wg, device.id, name, value);
      set({ name: '', value: '' });
    },
  });
  return (
    <form noValidate onSubmit={dialog.onSubmit} className={classes.form}>
      <TextInput
        {...field('name')}
        label={t('cloudDevices.variable')}
        placeholder={EXAMPLE_VARIABLE}
        maxLength={60}
        spellCheck={false}
        autoComplete="off"
      />
      <PasswordInput
        {...field('value')}
        label={t('cloudDevices.value')}
        maxLength={4000}
        autoComplete="new-password"
      />
      <Button type="submit" variant="default" loading={dialog.isWorking}>
        {t('cloudDevices.set')}
      </Button>
      <Failure text={dialog.failure} />
    </form>
  );
}
