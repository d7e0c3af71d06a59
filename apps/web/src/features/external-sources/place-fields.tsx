import {
  type newExternalSource,
  PULL_MINUTES,
} from '@albedo/contract/external-sources/external-sources.schema';
import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import classes from './external-sources.module.css';

type Input = z.input<typeof newExternalSource>;
export type FolderInput = NonNullable<Input['sftp']>;
export type MailboxInput = NonNullable<Input['mailbox']>;
type Minutes = NonNullable<FolderInput['everyMinutes']>;

/** Descriptions stand below what they describe. */
export const UNDER: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];
export const NO_FOLDER: FolderInput = {
  address: '',
  user: '',
  folder: '.',
  files: '*.csv',
  everyMinutes: 15,
};
export const NO_MAILBOX: MailboxInput = {
  address: '',
  user: '',
  folder: 'INBOX',
  files: '*.csv',
  everyMinutes: 15,
};

export interface SecretProps {
  secret: string;
  secretFault: string | undefined;
  hasSecret: boolean;
  onSecret: (secret: string | undefined) => void;
}

export function HowOften({
  value,
  onChange,
}: {
  value: Minutes | undefined;
  onChange: (minutes: Minutes) => void;
}) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('externalSources.how')}
      allowDeselect={false}
      data={PULL_MINUTES.map((count) => ({
        value: String(count),
        label: t('externalSources.every', { count }),
      }))}
      value={String(value ?? 15)}
      onChange={(next) => onChange(Number(next) as Minutes)}
    />
  );
}

interface FolderFieldsProps extends SecretProps {
  value: FolderInput;
  onChange: (part: Partial<FolderInput>) => void;
}

/** Where a folder is, how its server lets us in, and which of its files are read. */
export function FolderFields({ value, onChange, ...secret }: FolderFieldsProps) {
  const { t } = useTranslation();
  const isKey = value.signIn === 'key';
  const secretProps = {
    label: t(isKey ? 'externalSources.privateKey' : 'externalSources.password'),
    description: secret.hasSecret
      ? t('externalSources.secretKept')
      : isKey
        ? t('externalSources.privateKeyHelp')
        : undefined,
    inputWrapperOrder: UNDER,
    value: secret.secret,
    error: secret.secretFault,
  };
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={t('externalSources.server')}
          placeholder="sftp://files.example.org"
          value={value.address}
          onChange={(event) => onChange({ address: event.currentTarget.value })}
        />
        <HowOften value={value.everyMinutes} onChange={(everyMinutes) => onChange({ everyMinutes })} />
        <TextInput
          label={t('externalSources.user')}
          autoComplete="off"
          value={value.user}
          onChange={(event) => onChange({ user: event.currentTarget.value })}
        />
        <Select
          label={t('externalSources.credential')}
          allowDeselect={false}
          data={(['password', 'key'] as const).map((one) => ({
            value: one,
            label: t(`externalSources.signIns.${one}`),
          }))}
          value={value.signIn ?? 'password'}
          onChange={(signIn) => onChange({ signIn: signIn === 'key' ? 'key' : 'password' })}
        />
      </div>
      {isKey ? (
        <Textarea
          {...secretProps}
          rows={3}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('externalSources.keyExample')}
          onChange={(event) => secret.onSecret(event.currentTarget.value || undefined)}
        />
      ) : (
        <PasswordInput
          {...secretProps}
          autoComplete="new-password"
          onChange={(event) => secret.onSecret(event.currentTarget.value || undefined)}
        />
      )}
      <div className={classes.pair}>
        <TextInput
          label={t('externalSources.folder')}
          description={t('externalSources.folderHelp')}
          inputWrapperOrder={UNDER}
          value={value.folder ?? ''}
          onChange={(event) => onChange({ folder: event.currentTarget.value })}
        />
        <FilesPattern value={value.files} onChange={(files) => onChange({ files })} />
      </div>
      <TextInput
        label={t('externalSources.hostKey')}
        description={t(value.hostKey ? 'externalSources.hostKeyKept' : 'externalSources.hostKeyHelp')}
        inputWrapperOrder={UNDER}
        placeholder="SHA256:…"
        spellCheck={false}
        value={value.hostKey ?? ''}
        onChange={(event) => onChange({ hostKey: event.currentTarget.value || null })}
      />
    </>
  );
}

interface MailboxFieldsProps extends SecretProps {
  value: MailboxInput;
  onChange: (part: Partial<MailboxInput>) => void;
}

/** Which mailbox is read, and which of its mails and their attachments. */
export function MailboxFields({ value, onChange, ...secret }: MailboxFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.pair}>
      <TextInput
        label={t('externalSources.mailServer')}
        placeholder="imaps://imap.example.org"
        value={value.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
      <HowOften value={value.everyMinutes} onChange={(everyMinutes) => onChange({ everyMinutes })} />
      <TextInput
        label={t('externalSources.user')}
        autoComplete="off"
        value={value.user}
        onChange={(event) => onChange({ user: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('externalSources.password')}
        description={t(secret.hasSecret ? 'externalSources.secretKept' : 'externalSources.appPassword')}
        inputWrapperOrder={UNDER}
        autoComplete="new-password"
        value={secret.secret}
        error={secret.secretFault}
        onChange={(event) => secret.onSecret(event.currentTarget.value || undefined)}
      />
      <TextInput
        label={t('externalSources.from')}
        description={t('externalSources.fromHelp')}
        inputWrapperOrder={UNDER}
        value={value.from ?? ''}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        label={t('externalSources.subject')}
        description={t('externalSources.subjectHelp')}
        inputWrapperOrder={UNDER}
        value={value.subject ?? ''}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <TextInput
        label={t('externalSources.mailFolder')}
        value={value.folder ?? ''}
        onChange={(event) => onChange({ folder: event.currentTarget.value })}
      />
      <FilesPattern value={value.files} onChange={(files) => onChange({ files })} />
    </div>
  );
}

function FilesPattern({ value, onChange }: { value: string | undefined; onChange: (next: string) => void }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('externalSources.files')}
      description={t('externalSources.filesHelp')}
      inputWrapperOrder={UNDER}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
