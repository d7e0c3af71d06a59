import { useNavigate, useSearch } from '@tanstack/react-router';
import { insidePath } from '../app/guard.ts';
import { LoginCard } from '../features/sessions/login-card.tsx';

export function LoginPage() {
  const navigate = useNavigate();
  const { redirect, email } = useSearch({ from: '/login' });
  return <LoginCard email={email ?? ''} onSignedIn={() => void navigate({ href: insidePath(redirect) })} />;
}
