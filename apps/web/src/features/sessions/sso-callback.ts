import {
  SSO_TOKEN_COOKIE,
  type SsoFailure,
} from '@albedo/contract/identity-providers/identity-providers.names';
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import { clearCookie, readCookie } from '../../app/cookies.ts';
import { insidePath } from '../../app/guard.ts';
import { loadAllTexts } from '../../app/i18n.ts';
import { wantNotices } from '../../app/notices-wanted.ts';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { getSession, type TokenKind, takeToken } from '../../app/session.ts';
import { confirmBySso, takeReturn } from '../step-up/step-up.queries.ts';

const KNOWN: readonly SsoFailure[] = [
  'refused',
  'not_invited',
  'expired',
  'cancelled',
  'unsolicited',
  'no_email',
];

/** What the provider's answer led to, in the address. */
export interface SsoReturn {
  error?: string;
  /** The session of this browser waits for it. */
  confirmation?: string;
}

/**
 * Ends a sign-in or a confirmation and answers where to go on: after a confirmation, done or not, where this tab was;
 * null for the start page.
 */
export async function comeBack({ error, confirmation }: SsoReturn): Promise<string | null> {
  const before = takeReturn();
  if (confirmation === undefined) {
    const kind = await completeSso(error);
    if (kind === 'session' && error === undefined) return null;
    if (!getSession()) return '/login';
  } else if (getSession()) await confirm(confirmation);
  else return '/login';
  return before === null ? null : insidePath(before);
}

/**
 * Takes over the session that the server left in a cookie, and clears it. Null where there is none, or the address says
 * that the sign-in failed; a notification says so then. People who are signed in and come here again, as with the
 * back button, see nothing.
 */
export async function completeSso(error: string | undefined): Promise<TokenKind | null> {
  const token = takeCookie();
  try {
    if (error === undefined && token) return takeToken(token);
  } catch {
    // A token that opens no workgroup is a failed sign-in.
  }
  if (getSession() && (error === undefined || error === 'expired')) return 'session';
  await loadAllTexts();
  wantNotices();
  const failure = KNOWN.find((one) => one === error) ?? 'refused';
  notifications.show({
    title: i18next.t('login.ssoError'),
    message: i18next.t(`login.ssoFailure.${failure}`),
    color: 'red',
    autoClose: 10_000,
  });
  return null;
}

async function confirm(request: string): Promise<void> {
  await loadAllTexts();
  wantNotices();
  await confirmBySso(request).then(
    () => notifyDone(i18next.t('stepUp.confirmed')),
    (error) => notifyFailure(i18next.t('login.ssoError'), error),
  );
}

function takeCookie(): string | null {
  const found = readCookie(SSO_TOKEN_COOKIE, { isOurs: true });
  clearCookie(SSO_TOKEN_COOKIE);
  return found;
}
