import { useParams } from '@tanstack/react-router';
import { ResetCard } from '../features/accounts/reset-card.tsx';
import card from '../ui/public-card.module.css';

export function ResetPage() {
  const { token } = useParams({ from: '/reset/$token' });
  return (
    <main className={card.screen}>
      <ResetCard key={token} token={token} />
    </main>
  );
}
