import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { EmailStep } from './email-step.tsx';
import { FAILURES } from './login-machine.ts';
import { requestReset } from './login-steps.queries.ts';

interface ForgotStepProps {
  email: string;
  onEmail: (email: string) => void;
  onBack: () => void;
}

/** Asks for an e-mail with a link to a new password. The answer is the same whether the address has an account. */
export function ForgotStep({ email, onEmail, onBack }: ForgotStepProps) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await requestReset(email.trim());
    setSentTo(email.trim());
  }, FAILURES.forgot);
  return (
    <EmailStep
      title={t('login.forgotTitle')}
      text={t('login.forgotText')}
      submit={t('login.continue')}
      email={email}
      onEmail={onEmail}
      isWorking={isWorking}
      failure={failure}
      done={sentTo === null ? null : t('login.forgotDone', { email: sentTo })}
      onSubmit={handleSubmit}
      onBack={onBack}
    />
  );
}
