import { useParams } from '@tanstack/react-router';
import type { AccountLink } from '../features/accounts/accounts.public.ts';
import { JoinCard } from '../features/accounts/join-card.tsx';
import card from '../ui/public-card.module.css';

/** Where the e-mails of invitations and activations lead. */
export function JoinPage() {
  const { orgName, token = '' } = useParams({ strict: false });
  const link: AccountLink = orgName ? { kind: 'invitation', orgName, token } : { kind: 'activation', token };
  return (
    <main className={card.screen}>
      <JoinCard key={token} link={link} />
    </main>
  );
}
