import type {
  ProviderKind,
  SignInSettings,
} from '@albedo/contract/identity-providers/identity-providers.schema';
import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyId } from '../../ui/copy-id.tsx';
import classes from './identity-providers.module.css';

/** What the administrator of the identity provider has to enter there. */
export function OwnFacts({ kind, settings }: { kind: ProviderKind; settings: SignInSettings }) {
  const { t } = useTranslation();
  const { saml, oidc } = settings;
  const entries =
    kind === 'saml'
      ? [
          [t('identityProviders.own.entityId'), saml.entityId],
          [t('identityProviders.own.acsUrl'), saml.acsUrl],
          [t('identityProviders.own.metadataUrl'), saml.metadataUrl],
        ]
      : [[t('identityProviders.own.redirectUrl'), oidc.redirectUrl]];
  return (
    <div className={classes.own}>
      <h3 className={classes.head}>{t('identityProviders.own.title')}</h3>
      <p className={classes.text}>
        {t(kind === 'saml' ? 'identityProviders.own.saml' : 'identityProviders.own.oidc')}
      </p>
      <dl className={classes.facts}>
        {entries.map(([name = '', value = '']) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>
              <CopyId value={value} label={name} />
            </dd>
          </div>
        ))}
      </dl>
      {kind === 'saml' ? (
        <Anchor href={new URL(saml.metadataUrl).pathname} download="albedo-metadata.xml" size="sm" data-alone>
          {t('identityProviders.own.download')}
        </Anchor>
      ) : null}
    </div>
  );
}
