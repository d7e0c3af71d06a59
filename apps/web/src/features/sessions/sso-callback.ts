import {
  SSO_CALLBACK_PATH,
  SSO_TOKEN_COOKIE,
  type SsoFailure,
} from '@albedo/contract/identity-providers/identity-providers.names';
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import { loadAllTexts } from '../../app/i18n.ts';
import { wantNotices } from '../../app/notices-wanted.ts';
import { getSession, type TokenKind, takeToken } from '../../app/session.ts';

const KNOWN: readonly SsoFailure[] = [
  'refused',
  'not_invited',
  'expired',
  'cancelled',
  'unsolicited',
  'no_email',
];

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

function takeCookie(): string | null {
  const found = new RegExp(`(?:^|; )${SSO_TOKEN_COOKIE}=([^;]*)`).exec(document.cookie)?.[1];
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store.
  document.cookie = `${SSO_TOKEN_COOKIE}=; path=${SSO_CALLBACK_PATH}; max-age=0; samesite=lax`;
  return found || null;
}
