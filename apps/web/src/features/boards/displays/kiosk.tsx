import { useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { createPortal } from 'react-dom';
import { later } from '../../../app/later.ts';
import type { KioskProps } from './kiosk-wall.tsx';

const KioskWall = later(async () => (await import('./kiosk-wall.tsx')).KioskWall);

/** The board over the whole window, as long as the address says `kiosk`. */
export function Kiosk(props: KioskProps) {
  const { kiosk } = useSearch({ strict: false }) as { kiosk?: unknown };
  if (kiosk !== true) return props.children;
  return <Suspense>{createPortal(<KioskWall {...props} />, document.body)}</Suspense>;
}
