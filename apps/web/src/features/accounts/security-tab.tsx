import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { announced } from '../../app/inside.ts';
import { OwnSignIn } from './own-sign-in.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

/** How the person signs in, and their sessions. */
export function SecurityTab({ profile }: { profile: UserProfile }) {
  return (
    <>
      <OwnSignIn profile={profile}>
        <PasswordPanel />
        {announced('profileSecurity').map(({ at, Content }) => (
          <Content key={at} profile={profile} />
        ))}
      </OwnSignIn>
      <SessionsPanel />
    </>
  );
}
