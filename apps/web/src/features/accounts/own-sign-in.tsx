import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import classes from './accounts.module.css';

/** True in a session that an identity provider began: the server refuses to change there how the account signs in. */
export const useBySso = (): boolean => useSignedIn().user.idpId !== undefined;

interface OwnSignInProps {
  profile: UserProfile;
  /** What changes password, second factor and passkeys. */
  children: ReactNode;
}

/** Draws `children` for people who may change how they sign in, and for all others the reason why it is missing. */
export function OwnSignIn({ profile, children }: OwnSignInProps) {
  const { t } = useTranslation();
  const isBySso = useBySso();
  if (profile.hasPassword && !isBySso) return children;
  return (
    <Section title={t('profile.signIn')}>
      <div className={classes.form}>
        <p>{t(profile.hasPassword ? 'profile.byProvider.signInOfPassword' : 'profile.byProvider.signIn')}</p>
      </div>
    </Section>
  );
}
