/** Whom passkeys belong to, in the words of WebAuthn. */
export interface RelyingParty {
  /** Host name that a passkey is bound to. */
  id: string;
  /** Where the browser may be while it uses one. */
  origins: string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Port of the web app's development server. */
const DEVELOPMENT_PORT = '5173';

/**
 * As the public address says. A machine of one's own is `localhost`, since passkeys are bound to names and never to
 * numbers; its development server counts too.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin, protocol, port } = new URL(publicUrl);
  if (!LOOPBACK.includes(hostname)) return { id: hostname, origins: [origin] };
  const local = (one: string) => `${protocol}//localhost${one === '' ? '' : `:${one}`}`;
  return { id: 'localhost', origins: [local(port), local(DEVELOPMENT_PORT)] };
}
