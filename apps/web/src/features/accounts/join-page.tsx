import { useParams } from '@tanstack/react-router';
import card from '../../ui/public-card.module.css';
import type { AccountLink } from './accounts.public.ts';
import { JoinCard } from './join-card.tsx';

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
