import { KEPT_SECRET } from '@albedo/contract/plugins/plugins.schema';
import { CloseButton, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface SecretFieldProps {
  label: string;
  description: string | undefined;
  error: string | null;
  value: string;
  onChange: (value: string) => void;
}

/** A password: one that the device has is not told, stays where nothing is entered, and can be replaced or removed. */
export function SecretField({ value, onChange, ...common }: SecretFieldProps) {
  const { t } = useTranslation();
  const [hadOne] = useState(value === KEPT_SECRET);
  const isKept = value === KEPT_SECRET;
  return (
    <PasswordInput
      {...common}
      value={isKept ? '' : value}
      placeholder={isKept ? t('plugins.secret.kept') : hadOne ? t('plugins.secret.removed') : undefined}
      autoComplete="new-password"
      {...(isKept
        ? {
            rightSection: (
              <CloseButton
                size="sm"
                aria-label={t('plugins.secret.remove', { name: common.label })}
                onClick={() => onChange('')}
              />
            ),
          }
        : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
