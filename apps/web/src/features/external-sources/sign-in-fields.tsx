import { PULL_MINUTES } from '@albedo/contract/external-sources/external-sources.schema';
import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { HELP_BELOW } from './field-order.ts';

type Minutes = (typeof PULL_MINUTES)[number];

export interface SecretProps {
  secret: string;
  secretFault: string | undefined;
  /** A secret is stored already, and stays if this one is left empty. */
  hasSecret: boolean;
  onSecret: (secret: string | undefined) => void;
}

export interface PlaceProps extends SecretProps {
  /** What is wrong, by the path within the place. */
  faults: Record<string, string>;
}

interface SecretFieldProps extends SecretProps {
  label: string;
  /** What to enter while no secret is stored. */
  help?: string;
}

export function SecretField({ label, help, secret, secretFault, hasSecret, onSecret }: SecretFieldProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      label={label}
      description={hasSecret ? t('externalSources.secretKept') : help}
      inputWrapperOrder={HELP_BELOW}
      autoComplete="new-password"
      value={secret}
      error={secretFault}
      onChange={(event) => onSecret(event.currentTarget.value || undefined)}
    />
  );
}

interface ServerValue {
  address: string;
  user: string;
  everyMinutes?: Minutes | undefined;
}

interface ServerFieldsProps {
  label: string;
  /** An example of an address. */
  placeholder: string;
  value: ServerValue;
  faults: Record<string, string>;
  onChange: (part: Partial<ServerValue>) => void;
}

/** Which server is read, how often, and as which user. */
export function ServerFields({ label, placeholder, value, faults, onChange }: ServerFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={label}
        placeholder={placeholder}
        value={value.address}
        error={faults.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
      <HowOften value={value.everyMinutes} onChange={(everyMinutes) => onChange({ everyMinutes })} />
      <TextInput
        label={t('externalSources.user')}
        autoComplete="off"
        value={value.user}
        error={faults.user}
        onChange={(event) => onChange({ user: event.currentTarget.value })}
      />
    </>
  );
}

interface HowOftenProps {
  value: Minutes | undefined;
  onChange: (minutes: Minutes) => void;
}

export function HowOften({ value, onChange }: HowOftenProps) {
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
