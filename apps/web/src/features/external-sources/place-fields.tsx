import type { newExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { Select, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import classes from './external-sources.module.css';
import { HELP_BELOW } from './field-order.ts';
import { type PlaceProps, SecretField, ServerFields } from './sign-in-fields.tsx';

type Input = z.input<typeof newExternalSource>;
type FolderInput = NonNullable<Input['sftp']>;
type MailboxInput = NonNullable<Input['mailbox']>;

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

interface FolderFieldsProps extends PlaceProps {
  value: FolderInput;
  onChange: (part: Partial<FolderInput>) => void;
}

/** Where a folder is, how its server lets us in, and which of its files are read. */
export function FolderFields({ value, faults, onChange, ...secret }: FolderFieldsProps) {
  const { t } = useTranslation();
  const isKey = value.signIn === 'key';
  return (
    <>
      <div className={classes.pair}>
        <ServerFields
          label={t('externalSources.server')}
          placeholder="sftp://files.example.org"
          value={value}
          faults={faults}
          onChange={onChange}
        />
        <Select
          label={t('externalSources.credential')}
          allowDeselect={false}
          data={(['password', 'key'] as const).map((signIn) => ({
            value: signIn,
            label: t(`externalSources.signIns.${signIn}`),
          }))}
          value={value.signIn ?? 'password'}
          onChange={(signIn) => onChange({ signIn: signIn === 'key' ? 'key' : 'password' })}
        />
      </div>
      {isKey ? (
        <Textarea
          label={t('externalSources.privateKey')}
          description={t(secret.hasSecret ? 'externalSources.secretKept' : 'externalSources.privateKeyHelp')}
          inputWrapperOrder={HELP_BELOW}
          value={secret.secret}
          error={secret.secretFault}
          rows={3}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('externalSources.keyExample')}
          onChange={(event) => secret.onSecret(event.currentTarget.value || undefined)}
        />
      ) : (
        <SecretField label={t('externalSources.password')} {...secret} />
      )}
      <div className={classes.pair}>
        <TextInput
          label={t('externalSources.folder')}
          description={t('externalSources.folderHelp')}
          inputWrapperOrder={HELP_BELOW}
          value={value.folder ?? ''}
          error={faults.folder}
          onChange={(event) => onChange({ folder: event.currentTarget.value })}
        />
        <FilesPattern value={value.files} error={faults.files} onChange={(files) => onChange({ files })} />
      </div>
      <TextInput
        label={t('externalSources.hostKey')}
        description={t(value.hostKey ? 'externalSources.hostKeyKept' : 'externalSources.hostKeyHelp')}
        inputWrapperOrder={HELP_BELOW}
        placeholder="SHA256:…"
        spellCheck={false}
        value={value.hostKey ?? ''}
        error={faults.hostKey}
        onChange={(event) => onChange({ hostKey: event.currentTarget.value || null })}
      />
    </>
  );
}

interface MailboxFieldsProps extends PlaceProps {
  value: MailboxInput;
  onChange: (part: Partial<MailboxInput>) => void;
}

/** Which mailbox is read, and which of its mails and their attachments. */
export function MailboxFields({ value, faults, onChange, ...secret }: MailboxFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.pair}>
      <ServerFields
        label={t('externalSources.mailServer')}
        placeholder="imaps://imap.example.org"
        value={value}
        faults={faults}
        onChange={onChange}
      />
      <SecretField
        label={t('externalSources.password')}
        help={t('externalSources.appPassword')}
        {...secret}
      />
      <TextInput
        label={t('externalSources.from')}
        description={t('externalSources.fromHelp')}
        inputWrapperOrder={HELP_BELOW}
        value={value.from ?? ''}
        error={faults.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        label={t('externalSources.subject')}
        description={t('externalSources.subjectHelp')}
        inputWrapperOrder={HELP_BELOW}
        value={value.subject ?? ''}
        error={faults.subject}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <TextInput
        label={t('externalSources.mailFolder')}
        value={value.folder ?? ''}
        error={faults.folder}
        onChange={(event) => onChange({ folder: event.currentTarget.value })}
      />
      <FilesPattern value={value.files} error={faults.files} onChange={(files) => onChange({ files })} />
    </div>
  );
}

interface FilesPatternProps {
  value: string | undefined;
  error: string | undefined;
  onChange: (next: string) => void;
}

function FilesPattern({ value, error, onChange }: FilesPatternProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('externalSources.files')}
      description={t('externalSources.filesHelp')}
      inputWrapperOrder={HELP_BELOW}
      value={value ?? ''}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
