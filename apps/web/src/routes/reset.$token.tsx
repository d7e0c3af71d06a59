import { useParams } from '@tanstack/react-router';
import classes from '../features/accounts/accounts.module.css';
import { ResetCard } from '../features/accounts/reset-card.tsx';

export function ResetPage() {
  const { token } = useParams({ from: '/reset/$token' });
  return (
    <main className={classes.screen}>
      <ResetCard key={token} token={token} />
    </main>
  );
}
