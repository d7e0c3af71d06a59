/** Where the browser takes the session over, and the cookie that hands it over. */
export const SSO_CALLBACK_PATH = '/login/sso/callback';
export const SSO_TOKEN_COOKIE = 'albedo-sso-token';
/** Life of that cookie, seconds. */
export const SSO_TOKEN_SECONDS = 60;

/** The page that asks whether to sign in with the provider that its query names. */
export const SSO_PAGE_PATH = '/login/sso';

/**
 * Why a sign-in with a provider failed, in the address of the page that says so: its answer was not accepted; it named
 * somebody who was not invited with it; it took too long or came back to another browser; the provider said no; the provider
 * began it, and nothing says which one it is; it named somebody new without an e-mail address.
 */
export type SsoFailure = 'refused' | 'not_invited' | 'expired' | 'cancelled' | 'unsolicited' | 'no_email';
