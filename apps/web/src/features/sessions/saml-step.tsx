import type { ProviderChoice } from '@albedo/contract/identity-providers/identity-providers.schema';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { AgreeStep } from './agree-step.tsx';
import { EmailStep } from './email-step.tsx';
import classes from './login-card.module.css';
import { FAILURES, type Hint, hintOf } from './login-machine.ts';
import { findProviders, ssoAddress } from './login-steps.queries.ts';

interface SamlStepProps {
  email: string;
  onEmail: (email: string) => void;
  /** The identity provider that another site led here for; asked before anything else. */
  providerId?: string | undefined;
  /** Leads the browser to the identity provider. */
  onLeave: (address: string) => void;
  onBack: () => void;
}

/**
 * The state `saml`: the e-mail address finds the identity provider, of whichever kind, and the browser goes there.
 * Somebody with several of them chooses.
 */
export function SamlStep({ email, onEmail, providerId, onLeave, onBack }: SamlStepProps) {
  const { t } = useTranslation();
  const [asksFor, setAsksFor] = useState(providerId);
  const [choices, setChoices] = useState<ProviderChoice[]>([]);
  const [hint, setHint] = useState<Hint | null>(null);
  const { isWorking, failure, handleSubmit } = useSubmit(
    async () => {
      const providers = await findProviders(email.trim());
      if (providers.choices.length > 1) setChoices(providers.choices);
      else onLeave(ssoAddress(providers));
    },
    (error) => {
      setHint(hintOf(error));
      return FAILURES.saml(error);
    },
  );
  if (asksFor !== undefined)
    return <AgreeStep providerId={asksFor} onLeave={onLeave} onOther={() => setAsksFor(undefined)} />;
  if (choices.length > 1)
    return <Choices choices={choices} onLeave={onLeave} onBack={() => setChoices([])} />;
  return (
    <EmailStep
      title={t('login.samlTitle')}
      text={t('login.samlText')}
      submit={t('login.sso')}
      email={email}
      onEmail={onEmail}
      isWorking={isWorking}
      failure={failure}
      hint={failure === null ? null : hint}
      onSubmit={handleSubmit}
      onBack={onBack}
    />
  );
}

interface ChoicesProps {
  choices: ProviderChoice[];
  onLeave: (address: string) => void;
  onBack: () => void;
}

/** The first one is the likeliest: it was used last in this browser, or is that of the default workgroup. */
function Choices({ choices, onLeave, onBack }: ChoicesProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <div>
        <h2 className={classes.stepTitle}>{t('login.samlChooseTitle')}</h2>
        <p className={classes.stepText}>{t('login.samlChooseText')}</p>
      </div>
      <ul className={classes.choices}>
        {choices.map((choice, index) => (
          <li key={choice.id}>
            <Button
              size="md"
              h="auto"
              mih={42}
              py={8}
              fullWidth
              autoFocus={index === 0}
              variant={index === 0 ? 'filled' : 'default'}
              onClick={() => onLeave(ssoAddress(choice))}
            >
              <span className={classes.choice}>
                {choice.workgroup === null ? choice.name : `${choice.name} (${choice.workgroup})`}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      <button type="button" className={classes.other} onClick={onBack}>
        {t('login.samlOther')}
      </button>
    </div>
  );
}
