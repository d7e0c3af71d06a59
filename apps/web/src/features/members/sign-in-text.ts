import type { MemberInfo } from '@albedo/contract/members/members.schema';
import type { TFunction } from 'i18next';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';

/** When somebody signed in last, as a date. */
export const signInText = (t: TFunction, { lastSignInAt }: Pick<MemberInfo, 'lastSignInAt'>): string =>
  lastSignInAt === null ? t('members.never') : formatInstant(lastSignInAt, userZone(), false);
