import type { Provider, SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';
import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import classes from './identity-providers.module.css';
import { OwnFacts } from './own-facts.tsx';

/** The provider's settings, how sign-ins go, and what the provider was told about us. */
export function ProviderFacts({ provider, settings }: { provider: Provider; settings: SignInSettings }) {
  const { t } = useTranslation();
  return (
    <div className={classes.columns}>
      <div>
        <h3 className={classes.head}>
          {provider.name} <Badge variant="default">{t(`identityProviders.kind.${provider.kind}`)}</Badge>
        </h3>
        <Health provider={provider} />
        <dl className={classes.facts}>
          {provider.kind === 'saml' ? (
            <SamlFacts provider={provider} />
          ) : (
            <>
              <Fact name={t('identityProviders.issuer')}>
                <CopyId value={provider.issuer} label={t('identityProviders.issuer')} />
              </Fact>
              <Fact name={t('identityProviders.clientId')}>
                <CopyId value={provider.clientId} label={t('identityProviders.clientId')} />
              </Fact>
              <Fact name={t('identityProviders.clientSecret')}>
                {t(provider.hasSecret ? 'identityProviders.secretKept' : 'identityProviders.secretNone')}
              </Fact>
            </>
          )}
          <Fact name={t('identityProviders.people')}>
            {t('identityProviders.peopleCount', { count: provider.people })}
          </Fact>
        </dl>
      </div>
      <OwnFacts kind={provider.kind} settings={settings} />
    </div>
  );
}

type SamlProvider = Extract<Provider, { kind: 'saml' }>;

function SamlFacts({ provider }: { provider: SamlProvider }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  return (
    <>
      <Fact name={t('identityProviders.entityId')}>
        <CopyId value={provider.entityId} label={t('identityProviders.entityId')} />
      </Fact>
      <Fact name={t('identityProviders.signOnUrl')}>
        <code className={classes.address}>{provider.signOnUrl}</code>
      </Fact>
      <Fact name={t('identityProviders.metadataFrom')}>
        {provider.metadataUrl === null ? (
          t('identityProviders.uploaded')
        ) : (
          <>
            <code className={classes.address}>{provider.metadataUrl}</code>
            <span className={classes.read}>
              {t('identityProviders.metadataRead', { time: timeText(provider.metadataReadAt) })}
            </span>
            {provider.metadataFailure === null ? null : (
              <span className={classes.line} role="status">
                <IconAlertTriangle size={18} className={classes.warningIcon} aria-hidden />
                <span>
                  {t('identityProviders.metadataFails')} <q lang="en">{provider.metadataFailure}</q>
                </span>
              </span>
            )}
          </>
        )}
      </Fact>
      {provider.certificates.map(({ fingerprint, notAfter }) => (
        <Fact key={fingerprint} name={t('identityProviders.certificate')}>
          <span className={notAfter < now ? classes.bad : undefined}>
            {t(notAfter < now ? 'identityProviders.expiredOn' : 'identityProviders.validUntil', {
              date: timeText(notAfter),
            })}
          </span>
          <code className={classes.fingerprint}>{fingerprint}</code>
        </Fact>
      ))}
    </>
  );
}

/** Whether people get in, from the last sign-in that worked and the last that failed. */
function Health({ provider }: { provider: Provider }) {
  const { t } = useTranslation();
  const { lastSignInAt, lastFailureAt, lastFailure } = provider;
  const failsNow = lastFailureAt !== null && lastFailureAt > (lastSignInAt ?? 0);
  return (
    <div className={classes.health} role="status">
      {lastSignInAt === null ? (
        <p>{t('identityProviders.never')}</p>
      ) : (
        <p className={classes.line}>
          <IconCircleCheck size={18} className={classes.goodIcon} aria-hidden />
          {t('identityProviders.lastSignIn', { time: timeText(lastSignInAt) })}
        </p>
      )}
      {failsNow && lastFailure ? (
        <p className={classes.line}>
          <IconAlertTriangle size={18} className={classes.warningIcon} aria-hidden />
          <span>
            {t('identityProviders.lastFailure', { time: timeText(lastFailureAt) })}{' '}
            <q lang="en">{lastFailure}</q>
          </span>
        </p>
      ) : null}
      <Failures failures={failsNow ? provider.failures.slice(1) : provider.failures} />
    </div>
  );
}

/** Earlier failures, to find out why somebody did not get in. */
function Failures({ failures }: Pick<Provider, 'failures'>) {
  const { t } = useTranslation();
  if (failures.length === 0) return null;
  return (
    <details className={classes.failures}>
      <summary>{t('identityProviders.failures', { count: failures.length })}</summary>
      <ol>
        {failures.map(({ at, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may fail at the same instant, and the list comes anew as a whole.
          <li key={index}>
            <span className={classes.when}>{timeText(at)}</span>
            <span lang="en">{reason}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const timeText = (at: number): string => formatInstant(at, userZone(), false);
