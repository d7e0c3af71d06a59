/** Who the benches of the browser sign in as. */
export const OWNER = { email: 'bench@albedo.local', password: 'bench-password-1' };

/** The variables that make a server theirs. */
export const OWNED = { ALBEDO_OWNER_EMAIL: OWNER.email, ALBEDO_OWNER_PASSWORD: OWNER.password };

/** Headers that every change carries, as a browser has them once it asked for the anti-forgery cookie. */
export async function forgeryHeaders(url: string): Promise<Record<string, string>> {
  const reply = await fetch(`${url}/api/v1/version`);
  const cookies = reply.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  const cookie = cookies.join('; ');
  return { cookie, 'x-xsrf-token': decodeURIComponent(/XSRF-TOKEN=([^;]*)/.exec(cookie)?.[1] ?? '') };
}

/** A session token of the owner. */
export async function signIn(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const reply = await fetch(`${url}/api/v1/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(OWNER),
  });
  if (!reply.ok) throw new Error(`The bench cannot sign in: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { token: string }).token;
}
