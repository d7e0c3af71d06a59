import { Button, Skeleton } from '@mantine/core';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../app/query-client.ts';
import { useSubmit } from '../../app/use-submit.ts';
import classes from './login-card.module.css';
import { FAILURES } from './login-machine.ts';
import { agreeToProvider, providerNameQuery, ssoAddress } from './login-steps.queries.ts';

interface AgreeStepProps {
  providerId: string;
  onLeave: (address: string) => void;
  /** To find a provider by e-mail address instead. */
  onOther: () => void;
}

/**
 * Another site, often the portal of the organisation, led here to sign in with a provider. Asks first: otherwise any site
 * could sign a browser in with its own provider, as anyone it likes.
 */
export function AgreeStep(props: AgreeStepProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <Agree {...props} />
    </QueryClientProvider>
  );
}

function Agree({ providerId, onLeave, onOther }: AgreeStepProps) {
  const { t } = useTranslation();
  const { data: provider, error } = useQuery(providerNameQuery(providerId));
  const { isWorking, failure, handleSubmit } = useSubmit(
    async () => onLeave(ssoAddress(await agreeToProvider(providerId))),
    FAILURES.saml,
  );
  return (
    <form className={classes.form} onSubmit={handleSubmit}>
      <div>
        <h2 className={classes.stepTitle}>{t('login.samlTitle')}</h2>
        {provider ? (
          <p className={classes.stepText}>{t('login.samlAgreeText', { name: provider.name })}</p>
        ) : null}
        {!provider && !error ? <Skeleton height={44} mt={4} /> : null}
      </div>
      <p role="alert" className={classes.failure}>
        {error ? FAILURES.saml(error) : failure}
      </p>
      {error ? null : (
        <Button
          type="submit"
          size="md"
          h="auto"
          mih={42}
          py={8}
          fullWidth
          loading={isWorking}
          disabled={!provider}
        >
          <span className={classes.choice}>
            {provider ? t('login.samlAgree', { name: provider.name }) : t('login.sso')}
          </span>
        </Button>
      )}
      <button type="button" className={classes.other} onClick={onOther}>
        {t('login.samlOther')}
      </button>
    </form>
  );
}
