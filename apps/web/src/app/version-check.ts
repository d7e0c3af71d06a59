import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { call } from './call.ts';

/** How often the server is asked for its version. Source: specification 1, section 9. */
const CHECK_MS = 60_000;
/** And once soon after the start, since a page may come from before the release; not before the first screen is there. */
const FIRST_MS = 5000;

/** Asks the server for its version from now on, on every page; what this answers stops it. `call` reads what it says. */
export function followVersion(): () => void {
  const check = () => {
    // Nobody looks, or nobody answers: the next time tells.
    if (!document.hidden) call(sessionsApi.version, {}).catch(() => {});
  };
  const first = setTimeout(check, FIRST_MS);
  const timer = setInterval(check, CHECK_MS);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
