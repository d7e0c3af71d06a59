import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface MfaChoiceProps {
  /** Undefined: as the server is configured. */
  value: boolean | undefined;
  onChange: (value: boolean | undefined) => void;
}

const CHOICES = { server: undefined, required: true, optional: false } as const;
type Choice = keyof typeof CHOICES;

/** Whether the members of a new workgroup must have a second factor. */
export function MfaChoice({ value, onChange }: MfaChoiceProps) {
  const { t } = useTranslation();
  const choices = Object.keys(CHOICES) as Choice[];
  return (
    <Select
      label={t('newWorkgroup.mfa')}
      description={t('newWorkgroup.mfaHelp')}
      allowDeselect={false}
      value={choices.find((one) => CHOICES[one] === value) ?? 'server'}
      data={choices.map((one) => ({ value: one, label: t(`newWorkgroup.mfaChoices.${one}`) }))}
      onChange={(choice) => onChange(CHOICES[(choice ?? 'server') as Choice])}
    />
  );
}
