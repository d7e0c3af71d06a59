import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './accounts.module.css';
import { complexityLevel, lengthLevel, passwordProblem, type StrengthLevel } from './password-strength.ts';

interface NewPasswordFieldsProps {
  label: string;
  password: string;
  confirmation: string;
  /** What is wrong with the password otherwise, such as what the server says of it. */
  fault?: string | undefined;
  onPassword: (password: string) => void;
  onConfirmation: (confirmation: string) => void;
  isFocused?: boolean;
  /** `md` on a card that stands alone. */
  size?: 'sm' | 'md';
}

/** A new password twice, with advice on its strength. Faults show once a field was left. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { t } = useTranslation();
  const [left, setLeft] = useState({ password: false, confirmation: false });
  const problem = passwordProblem(props.password, props.confirmation);
  const isAboutPassword = problem === 'required' || problem === 'tooShort';
  const shown = problem === null ? null : t(`password.${problem}`);
  const toggle = { 'aria-label': t('login.showPassword'), tabIndex: 0 };
  return (
    <>
      <PasswordInput
        name="password"
        label={props.label}
        size={props.size ?? 'sm'}
        autoComplete="new-password"
        autoFocus={props.isFocused ?? false}
        value={props.password}
        error={left.password && isAboutPassword ? shown : props.fault}
        onChange={(event) => props.onPassword(event.currentTarget.value)}
        onBlur={() => setLeft((old) => ({ ...old, password: true }))}
        visibilityToggleButtonProps={toggle}
      />
      {props.password === '' ? null : <Strength password={props.password} />}
      <PasswordInput
        name="confirmPassword"
        label={t('password.confirm')}
        size={props.size ?? 'sm'}
        autoComplete="new-password"
        value={props.confirmation}
        error={left.confirmation && problem === 'mismatch' ? shown : null}
        onChange={(event) => props.onConfirmation(event.currentTarget.value)}
        onBlur={() => setLeft((old) => ({ ...old, confirmation: true }))}
        visibilityToggleButtonProps={toggle}
      />
    </>
  );
}

function Strength({ password }: { password: string }) {
  const { t } = useTranslation();
  const length = lengthLevel(password);
  const complexity = complexityLevel(password);
  return (
    <dl className={classes.strength} aria-live="polite">
      <dt>{t('password.length')}</dt>
      <Verdict level={length} text={t(`password.lengths.${length}`)} />
      <dt>{t('password.complexity')}</dt>
      <Verdict level={complexity} text={t(`password.complexities.${complexity}`)} />
    </dl>
  );
}

function Verdict({ level, text }: { level: StrengthLevel; text: string }) {
  const filled = { error: 1, warning: 2, good: 3 }[level];
  return (
    <dd className={classes.verdict} data-level={level}>
      <svg width="30" height="6" viewBox="0 0 30 6" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={bar * 10.5}
            width="9"
            height="6"
            rx="2"
            fill="currentColor"
            opacity={bar < filled ? 1 : 0.22}
          />
        ))}
      </svg>
      {text}
    </dd>
  );
}
