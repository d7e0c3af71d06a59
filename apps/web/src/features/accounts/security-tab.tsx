import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { announced } from '../../app/inside.ts';
import { OwnSignIn } from './own-sign-in.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

/** How one signs in, and where one did. */
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
