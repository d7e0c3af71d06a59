import type { Approval } from '@albedo/contract/approvals/approvals.schema';
import type { TFunction } from 'i18next';

/** What opens, in words: 'Tunnel to tcp 192.168.1.20:502'. */
export const wayText = (t: TFunction, { way, target }: Pick<Approval, 'way' | 'target'>): string =>
  t(`approvals.ways.${way}`, { target });

/** Whether it still waits for somebody, or was approved and waits to be used. */
export const isLive = ({ state, expiresAt }: Approval, now: number): boolean =>
  (state === 'asked' || state === 'approved') && expiresAt > now;
