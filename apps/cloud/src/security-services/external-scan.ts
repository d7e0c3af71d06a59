import { Socket } from 'node:net';
import { reachOf } from '../outbound/outside-fetch.ts';
import type { Seen } from './differences.ts';
import type { ScanEnd, Scanner, ScanOf } from './scan-end.ts';
import { SERVICES } from './well-known-ports.ts';

/** Connections of one scan at the same time, and how long each may take, ms. */
const SIDE_BY_SIDE = 8;
const CONNECT_MS = 2500;
/** A port that was open is tried again so often before it counts as closed. */
const PATIENCE = 2;
/** Nothing was learned of the port: this server could not even try. */
const OWN_FAULTS = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'EPERM',
  'EACCES',
]);

export interface ExternalScanOptions {
  /** The address that a device is connected from now; null where nobody knows. */
  addressOf: (device: string) => Promise<string | null>;
  isOnline: (device: string) => boolean;
  /** Which addresses may be connected to; those of the internet alone. */
  mayScan?: (address: string) => boolean;
  ports?: readonly number[];
  connectMs?: number;
}

/**
 * Looks from outside which well-known ports of the site are open: at the address that the device is connected from at this
 * moment, and at no other, whatever anybody says. It only connects, and sends nothing.
 */
export class ExternalScan implements Scanner {
  readonly #options: Required<ExternalScanOptions>;

  constructor(options: ExternalScanOptions) {
    this.#options = {
      mayScan: (address) => reachOf(address) === 'public',
      ports: [...SERVICES.keys()],
      connectMs: CONNECT_MS,
      ...options,
    };
  }

  async scan({ device, present, signal }: ScanOf): Promise<ScanEnd> {
    const { addressOf, isOnline, mayScan, ports } = this.#options;
    if (!isOnline(device)) return { failed: 'offline', target: '' };
    const address = await addressOf(device);
    if (address === null) return { failed: 'address_unknown', target: '' };
    if (!mayScan(address)) return { failed: 'address_not_public', target: address };
    const answers = await this.#tryAll(address, present, signal);
    // Whoever has the address by now may be somebody else.
    if ((await addressOf(device)) !== address) return { failed: 'address_changed', target: address };
    if (!answers.some((answer) => answer !== 'not tried'))
      return { failed: 'not_reachable', target: address };
    const isComplete = answers.every((answer) => answer !== 'not tried');
    const seen = ports.flatMap((port, at): Seen[] =>
      answers[at] === 'open'
        ? [{ key: String(port), description: SERVICES.get(port) ?? '', addresses: [] }]
        : [],
    );
    const looked = new Set(ports.map(String));
    return {
      seen,
      isComplete,
      covers: ({ key }) => looked.has(key),
      target: address,
      reason: isComplete ? null : 'not_reachable',
    };
  }

  async #tryAll(address: string, present: ReadonlySet<string>, signal: AbortSignal): Promise<Answer[]> {
    const { ports } = this.#options;
    const answers: Answer[] = ports.map(() => 'not tried');
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < ports.length; at = next++) {
        const port = ports[at] as number;
        const tries = present.has(String(port)) ? 1 + PATIENCE : 1;
        for (let time = 0; time < tries && answers[at] !== 'open'; time++) {
          signal.throwIfAborted();
          answers[at] = await answerOf(address, port, this.#options.connectMs, signal);
        }
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    signal.throwIfAborted();
    return answers;
  }
}

type Answer = 'open' | 'closed' | 'not tried';

function answerOf(host: string, port: number, connectMs: number, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = new Socket({ signal });
    const end = (answer: Answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(connectMs, () => end('closed'));
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      end(OWN_FAULTS.has(code) ? 'not tried' : 'closed'),
    );
    socket.connect({ host, port }, () => end('open'));
  });
}
