import type { Entity } from '@albedo/contract/entities/entities.schema';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { createPortal } from 'react-dom';
import { later } from '../../../app/later.ts';

const KioskWall = later(async () => (await import('./kiosk-wall.tsx')).KioskWall);

export interface KioskProps {
  name: string;
  /** The entities that it can turn through. */
  choices: readonly Entity[];
  onEntity: (id: string) => void;
  children: ReactNode;
}

/** The board over the whole window, as long as the address says `kiosk`. */
export function Kiosk(props: KioskProps) {
  const { kiosk } = useSearch({ strict: false }) as { kiosk?: unknown };
  if (kiosk !== true) return props.children;
  return <Suspense>{createPortal(<KioskWall {...props} />, document.body)}</Suspense>;
}
