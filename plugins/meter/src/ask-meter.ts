import type { Wire } from '@albedo/plugin-kit/wires/wire';
import { blockCheck, readTelegram, type Telegram } from './telegram.ts';

const [STX, ETX] = [0x02, 0x03];
const MOST = 32_768;
/** By the letter of the meter's identification. Source: IEC 62056-21, section 6.3.14, mode C. */
const SPEEDS: Readonly<Record<string, number>> = {
  0: 300,
  1: 600,
  2: 1200,
  3: 2400,
  4: 4800,
  5: 9600,
  6: 19_200,
};

/** Asks a meter as mode C of IEC 62056-21 has it: request, identification, the speed that it offers, then its data. */
export async function askMeter({ stream, setBaudRate }: Wire, address: string): Promise<Telegram> {
  const bytes = new Bytes(stream);
  await send(stream, `/?${address}!\r\n`);
  const identification = await bytes.until((seen) => {
    const begin = seen.indexOf('/', seen.indexOf('/?') < 0 ? 0 : seen.indexOf('\n') + 1);
    const end = begin < 0 ? -1 : seen.indexOf('\n', begin);
    return end < 0 ? null : { taken: end + 1, value: seen.toString('latin1', begin, end).trim() };
  });
  const speed = identification[4] ?? '0';
  const baudRate = SPEEDS[speed];
  // A letter is mode B or A, whose data follow by themselves.
  if (baudRate !== undefined) {
    await send(stream, `\x060${speed}0\r\n`);
    await setBaudRate(baudRate);
  }
  const block = await bytes.until((seen) => {
    const begin = seen.indexOf(STX);
    const end = begin < 0 ? -1 : seen.indexOf(ETX, begin);
    return end < 0 || seen.length < end + 2
      ? null
      : { taken: end + 2, value: seen.subarray(begin + 1, end + 2) };
  });
  if (blockCheck(block.subarray(0, -1)) !== block.at(-1))
    throw new Error('the data were damaged on their way');
  return readTelegram(`${identification}\r\n${block.toString('latin1', 0, block.length - 2)}`);
}

const send = (stream: Wire['stream'], text: string): Promise<void> =>
  new Promise((resolve, reject) =>
    stream.write(text, 'latin1', (error) => (error ? reject(error) : resolve())),
  );

/** What came, until somebody has enough of it. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #seen: Buffer = Buffer.alloc(0);

  constructor(stream: Wire['stream']) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async until<T>(found: (seen: Buffer) => { taken: number; value: T } | null): Promise<T> {
    for (;;) {
      const one = found(this.#seen);
      if (one) {
        this.#seen = this.#seen.subarray(one.taken);
        return one.value;
      }
      if (this.#seen.length > MOST) throw new Error('the meter does not come to an end');
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error('the line ended before the meter did');
      this.#seen = Buffer.concat([this.#seen, value]);
    }
  }
}
