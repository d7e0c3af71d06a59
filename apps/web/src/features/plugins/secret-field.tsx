import { KEPT_SECRET } from '@albedo/contract/plugins/plugins.schema';
import { ActionIcon, CloseButton, PasswordInput } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface SecretFieldProps {
  label: string;
  description: string | undefined;
  error: string | null;
  value: string;
  onChange: (value: string) => void;
}

/**
 * A password: one that the device has is not told and stays where nothing is entered. It can be replaced, or removed by its
 * button alone: what was typed and deleted again removes nothing.
 */
export function SecretField({ value, onChange, ...common }: SecretFieldProps) {
  const { t } = useTranslation();
  const [hadOne] = useState(value === KEPT_SECRET);
  const isKept = value === KEPT_SECRET;
  const isRemoved = hadOne && value === '';
  const name = common.label;
  const button = isKept ? (
    <CloseButton size="sm" aria-label={t('plugins.secret.remove', { name })} onClick={() => onChange('')} />
  ) : isRemoved ? (
    <ActionIcon
      size="sm"
      variant="subtle"
      color="gray"
      aria-label={t('plugins.secret.keep', { name })}
      onClick={() => onChange(KEPT_SECRET)}
    >
      <IconArrowBackUp size={16} />
    </ActionIcon>
  ) : null;
  return (
    <PasswordInput
      {...common}
      value={isKept ? '' : value}
      placeholder={isKept ? t('plugins.secret.kept') : isRemoved ? t('plugins.secret.removed') : undefined}
      autoComplete="new-password"
      {...(button && { rightSection: button })}
      onChange={(event) => onChange(event.currentTarget.value || (hadOne ? KEPT_SECRET : ''))}
    />
  );
}
