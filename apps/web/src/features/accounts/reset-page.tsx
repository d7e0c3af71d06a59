import { useParams } from '@tanstack/react-router';
import card from '../../ui/public-card.module.css';
import { ResetCard } from './reset-card.tsx';

export function ResetPage() {
  const { token } = useParams({ from: '/reset/$token' });
  return (
    <main className={card.screen}>
      <ResetCard key={token} token={token} />
    </main>
  );
}
