import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { FRONTEND_VERSION } from '@albedo/contract/product';
import { Anchor, Button, CopyButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useSignedIn } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatDuration } from '../../ui/units/durations.ts';
import classes from './accounts.module.css';
import { versionQuery } from './accounts.queries.ts';

/** The versions of what runs, and the token with which calls of the API can be tried. */
export function VersionPanel() {
  const { t } = useTranslation();
  const { data: version, error } = useQuery(versionQuery);
  return (
    <>
      <Section title={t('profile.token')}>
        <TokenPart />
      </Section>
      <Section title={t('profile.versions')}>
        <dl className={classes.facts}>
          <dt>{t('profile.apiVersion')}</dt>
          <dd>{version?.version ?? (error ? t('profile.versionFailed') : t('states.loading'))}</dd>
          <dt>{t('profile.frontendVersion')}</dt>
          <dd>{FRONTEND_VERSION}</dd>
          <dt>{t('profile.apiAddress')}</dt>
          <dd>
            <code>{new URL(API_PREFIX, window.location.origin).href}</code>
          </dd>
          <dt>{t('profile.apiDocs')}</dt>
          <dd>
            <Anchor href="/docs" target="_blank" rel="noreferrer">
              {t('profile.openDocs')}
            </Anchor>
          </dd>
        </dl>
      </Section>
    </>
  );
}

function TokenPart() {
  const { t } = useTranslation();
  const { token, user } = useSignedIn();
  const leftMs = Math.max(0, user.exp * 1000 - useNow(60_000));
  const until = formatInstant(user.exp * 1000, userZone(), false);
  return (
    <div className={classes.form}>
      <p>{t('profile.tokenText')}</p>
      <p className={classes.note}>{t('profile.tokenLife', { time: until, left: formatDuration(leftMs) })}</p>
      <div>
        <CopyButton value={token} timeout={2000}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('actions.copied') : t('profile.copyToken')}
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  );
}
