import { CODE_LENGTH } from '@albedo/contract/mfa/mfa.schema';
import { TextInput } from '@mantine/core';
import classes from './code-field.module.css';

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (code: string) => void;
  error?: string | undefined;
  isDisabled?: boolean;
  /** A dialog that opens has the keyboard here. */
  isFirst?: boolean;
}

/** A code of the authenticator app. */
export function CodeField({
  label,
  value,
  error,
  onChange,
  isDisabled = false,
  isFirst = false,
}: CodeFieldProps) {
  return (
    <TextInput
      className={classes.code ?? ''}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      label={label}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={CODE_LENGTH}
      disabled={isDisabled}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
}
