import { lazy, Suspense, useState } from 'react';
import { useBoard } from '../../board-context.ts';
import type { Origin } from '../../origins.ts';
import { OriginIcon } from './origin-icon.tsx';

/** Comes after the figure that it stands beside. */
export const OriginDialog = lazy(async () => ({
  default: (await import('./origin-dialog.tsx')).OriginDialog,
}));

/** Opens where a figure comes from: its streams, each with its newest value, and what was made of them. */
export function OriginButton({ title, ...origin }: Origin & { title: string }) {
  const [isOpen, setOpen] = useState(false);
  const { isDisplay, isEditing } = useBoard();
  // A screen on a wall shows what it shows; in the editor nothing opens.
  if (isDisplay || isEditing || origin.lines.every(({ streams }) => streams.length === 0)) return null;
  return (
    <>
      <OriginIcon title={title} onOpen={() => setOpen(true)} />
      {isOpen ? (
        <Suspense>
          <OriginDialog title={title} origins={[origin]} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
