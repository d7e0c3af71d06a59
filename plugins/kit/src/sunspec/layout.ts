/** Places where the marker may stand, counted from 0. Source: SunSpec Device Information Model 1.2, section 5. */
const BASE_ADDRESSES = [40_000, 50_000, 0];
const MARKER = [0x5375, 0x6e53];
const END_MODEL = 0xffff;
const MOST_MODELS = 64;

/** Reads holding registers of one device; addresses count from 0. */
export type ReadRegisters = (address: number, count: number) => Promise<ArrayLike<number>>;

export interface ModelBlock {
  id: number;
  /** Address of the model's id register. */
  address: number;
  /** Registers with id and length. */
  length: number;
}

export interface DeviceLayout {
  about: [name: string, text: string][];
  blocks: ModelBlock[];
}

/** Throws when no place holds the marker, or when the chain of models does not end. */
export async function readLayout(read: ReadRegisters): Promise<DeviceLayout> {
  const base = await findBase(read);
  const blocks: ModelBlock[] = [];
  for (let address = base + 2; blocks.length < MOST_MODELS; ) {
    const header = await read(address, 2);
    const [id = END_MODEL, length = 0] = [header[0], header[1]];
    if (id === END_MODEL) return { about: await readAbout(read, blocks), blocks };
    blocks.push({ id, address, length: length + 2 });
    address += length + 2;
  }
  throw new Error(`the chain of models has no end after ${MOST_MODELS} models`);
}

async function findBase(read: ReadRegisters): Promise<number> {
  let fault: unknown = null;
  for (const base of BASE_ADDRESSES) {
    try {
      const marker = await read(base, 2);
      if (marker[0] === MARKER[0] && marker[1] === MARKER[1]) return base;
    } catch (error) {
      // A device may refuse an address it does not have; any other failure will not get better at the next one.
      if (!isIllegalAddress(error)) throw error;
      fault = error;
    }
  }
  throw new Error('no SunSpec marker at 40000, 50000 or 0', { cause: fault });
}

const isIllegalAddress = (error: unknown): boolean =>
  [2, 3, 4].includes((error as { exceptionCode?: number }).exceptionCode ?? 0);

async function readAbout(read: ReadRegisters, blocks: ModelBlock[]): Promise<[string, string][]> {
  const models = blocks.map(({ id }) => id).join(' ');
  const common = blocks.find(({ id }) => id === 1);
  if (!common) return [['Models', models]];
  const registers = await read(common.address, common.length);
  return [
    ['Manufacturer', decodeText(registers, 2, 16)],
    ['Model', decodeText(registers, 18, 16)],
    ['Version', decodeText(registers, 42, 8)],
    ['Serial number', decodeText(registers, 50, 16)],
    ['Models', models],
  ];
}

/** Text of a string point, without its padding. */
function decodeText(registers: ArrayLike<number>, at: number, length: number): string {
  const bytes = Buffer.alloc(length * 2);
  for (let index = 0; index < length; index++) bytes.writeUInt16BE(registers[at + index] ?? 0, index * 2);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end).trim();
}
