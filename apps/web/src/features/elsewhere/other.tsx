import { laterAt } from '../../app/later.ts';
import { NotFoundInside, NotFoundPage } from '../../app/not-found.tsx';
import { useSession } from '../../app/session.ts';

const Frame = laterAt('frame');

/** An address without a screen; people who are signed in keep the menu. */
export function OtherPage() {
  const session = useSession();
  if (!session) return <NotFoundPage />;
  return (
    <Frame>
      <NotFoundInside />
    </Frame>
  );
}
