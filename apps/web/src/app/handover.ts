/** What somebody did on the first card before the app took it over. */
export interface Handover {
  email: string;
  password: string;
  /** The field that has the focus, to give it back. */
  field: 'email' | 'password' | null;
  /** What they chose: to sign in with what they typed, or another way in; null where they are still typing. */
  wish: 'send' | 'forgot' | 'saml' | null;
}

let waiting: Handover | null = null;

export function handOver(done: Handover): void {
  waiting = done;
}

/** Answers it once: whoever comes to the card later begins with an empty one. */
export function takeHandover(): Handover | null {
  const taken = waiting;
  waiting = null;
  return taken;
}
