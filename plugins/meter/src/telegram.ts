/** One line of a telegram: what was measured, by its OBIS code, and the values in its brackets. */
export interface ObisLine {
  /** Channel of the meter: 0 is itself, others are meters that send by way of it (gas, water). */
  channel: number;
  /** Quantity, kind and tariff, as in `1.8.0`. */
  code: string;
  values: string[];
}

export interface Telegram {
  /** Maker and type as the meter gives them. */
  identification: string;
  lines: ObisLine[];
}

/** Bytes that one telegram has at most. */
const MOST = 32_768;

/**
 * Finds telegrams in the bytes of a wire: IEC 62056-21 data messages, and P1 telegrams, which end in a CRC.
 *
 * Source: IEC 62056-21, section 6; DSMR P1 Companion Standard 5.0.2, sections 5.2 and 6.
 */
export class TelegramFinder {
  #bytes = Buffer.alloc(0);

  /** Throws for one whose check sum is wrong, and where no telegram ends. */
  take(chunk: Buffer): Telegram | null {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const begin = this.#bytes.indexOf('/');
    if (begin < 0 && this.#bytes.length > MOST) this.#bytes = Buffer.alloc(0);
    if (begin < 0) return null;
    const end = this.#bytes.indexOf('!', begin);
    const line = end < 0 ? -1 : this.#bytes.indexOf('\n', end);
    if (line < 0) {
      if (this.#bytes.length > MOST) throw new Error('no telegram comes to its end');
      return null;
    }
    const body = this.#bytes.subarray(begin, end + 1);
    const said = this.#bytes.toString('latin1', end + 1, line).trim();
    this.#bytes = this.#bytes.subarray(line + 1);
    checkCrc(body, said);
    return readTelegram(body.toString('latin1'));
  }
}

function checkCrc(body: Buffer, said: string): void {
  if (!/^[0-9A-Fa-f]{4}$/.test(said)) return;
  const own = crc16(body).toString(16).toUpperCase().padStart(4, '0');
  if (own !== said.toUpperCase())
    throw new Error(`a telegram was damaged on its way: ${own} in place of ${said}`);
}

/** CRC-16/ARC: x^16 + x^15 + x^2 + 1, the least bit first, from 0. */
function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}

/** The exclusive-or of all bytes after STX up to and with ETX. Source: IEC 62056-21, section 6.3.9. */
export function blockCheck(bytes: Buffer): number {
  let check = 0;
  for (const byte of bytes) check ^= byte;
  return check;
}

const LINE = /^(?:(\d+)-(\d+):)?([0-9A-F]+\.\d+(?:\.\d+)?)(?:\*\d+)?((?:\([^()]*\))+)$/;

export function readTelegram(text: string): Telegram {
  // DSMR 3 and before put the value of a gas meter into a line of its own.
  const [first = '', ...rest] = text.replace(/\)\r?\n\(/g, ')(').split(/\r?\n/);
  const lines = rest.flatMap((line): ObisLine[] => {
    const [, , channel = '0', code = '', brackets = ''] = LINE.exec(line.trim()) ?? [];
    if (code === '') return [];
    return [
      {
        channel: Number(channel),
        code,
        values: [...brackets.matchAll(/\(([^()]*)\)/g)].map(([, one = '']) => one),
      },
    ];
  });
  return { identification: first.replace(/^\//, '').trim(), lines };
}
