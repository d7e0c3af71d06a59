import { AskError } from '../link/ask-error.ts';
import { type Identity, type IdentityFiles, nameIn } from '../link/identity-files.ts';
import { messageOf } from '../log.ts';
import type { AskHandlers } from './asks.ts';

export interface Identified {
  files: () => IdentityFiles;
  /** By the certificate of the connection. */
  current: () => Pick<Identity, 'device' | 'serial'> | null;
  /** Events and photos that the cloud does not have yet. */
  waiting: () => number;
  reconnect: () => void;
}

/** The answer has to be on its way before the connection ends, ms. */
const ANSWER_MS = 500;
/** How long what still waits may take to be sent before the device becomes another one, ms. */
const EMPTY_MS = 30_000;
const LOOK_MS = 100;

/** Another certificate for this device, or for the device that this machine is from now on. */
export function identityAsks(
  of: Identified,
): Pick<AskHandlers, 'identity.read' | 'identity.key' | 'identity.install'> {
  return {
    'identity.read': async () => {
      const current = of.current();
      if (!current) throw new AskError('unable', 'The connection is over.');
      return { device: current.device, serial: current.serial };
    },
    'identity.key': async ({ input: { challenge } }) => of.files().makeKey(challenge),
    'identity.install': async ({ input: { certificate }, signal }) => {
      const files = of.files();
      let installed: { device: string; serial: string };
      try {
        if (nameIn(certificate) !== of.current()?.device) await empty(of, signal);
        installed = files.install(certificate);
      } catch (error) {
        files.discard();
        if (error instanceof AskError) throw error;
        throw new AskError('invalid', messageOf(error));
      }
      setTimeout(of.reconnect, ANSWER_MS);
      return installed;
    },
  };
}

/** Waits until everything that was captured as the device of now has been sent. */
async function empty(of: Identified, signal: AbortSignal): Promise<void> {
  const end = performance.now() + EMPTY_MS;
  while (of.waiting() > 0) {
    signal.throwIfAborted();
    if (performance.now() > end) {
      throw new AskError(
        'unable',
        `${of.waiting()} events or photos of it wait to be sent. Try again once they are.`,
      );
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}
