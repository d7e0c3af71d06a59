/** Places where the marker may stand, counted from 0. Source: SunSpec Device Information Model 1.2, section 5. */
const BASE_ADDRESSES = [40_000, 50_000, 0];
const MARKER = [0x5375, 0x6e53];
const END_MODEL = 0xffff;
const NO_MODEL = 0;
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
  /** Why the chain could not be followed to where it ends, though what came before is known; null where it could. */
  fault: Error | null;
}

/**
 * The models of a device, as far as its chain can be followed.
 *
 * Makers end it in three ways: with the end model, with 0 in its place, or with registers that the device does not have.
 * Throws when no place holds the marker, when the first model cannot be read, or when the chain goes on for ever.
 */
export async function readLayout(read: ReadRegisters): Promise<DeviceLayout> {
  const base = await findBase(read);
  const blocks: ModelBlock[] = [];
  for (let address = base + 2; blocks.length < MOST_MODELS; ) {
    const header = await headerAt(read, address, blocks.length > 0);
    if (header instanceof Error) return { about: await readAbout(read, blocks, ''), blocks, fault: header };
    if (header === null || header.id === END_MODEL || header.id === NO_MODEL) {
      const isUsual = header?.id === END_MODEL;
      const note = isUsual ? '' : `${header ? '0' : 'nothing'} in place of the end model, at ${address}`;
      return { about: await readAbout(read, blocks, note), blocks, fault: null };
    }
    blocks.push({ id: header.id, address, length: header.length + 2 });
    address += header.length + 2;
  }
  throw new Error(`the chain of models has no end after ${MOST_MODELS} models`);
}

/** Null where the device has no such registers, and the error where only what came before is to be had. */
async function headerAt(read: ReadRegisters, address: number, isLater: boolean) {
  try {
    const header = await read(address, 2);
    return { id: header[0] ?? END_MODEL, length: header[1] ?? 0 };
  } catch (error) {
    if (isLater && isIllegalAddress(error)) return null;
    // Some devices keep silent where others refuse.
    if (isLater && (error as { fault?: string }).fault === 'timeout') return error as Error;
    throw error;
  }
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

async function readAbout(
  read: ReadRegisters,
  blocks: ModelBlock[],
  note: string,
): Promise<[string, string][]> {
  const models = `${blocks.map(({ id }) => id).join(' ')}${note && ` (${note})`}`;
  const common = blocks.find(({ id }) => id === 1);
  const registers = common && (await orNothing(read(common.address, common.length)));
  if (!registers) return [['Models', models]];
  return [
    ['Manufacturer', decodeText(registers, 2, 16)],
    ['Model', decodeText(registers, 18, 16)],
    ['Version', decodeText(registers, 42, 8)],
    ['Serial number', decodeText(registers, 50, 16)],
    ['Models', models],
  ];
}

/** Null where the device refuses to show it. */
async function orNothing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isIllegalAddress(error)) return null;
    throw error;
  }
}

/** Text of a string point, without its padding. */
function decodeText(registers: ArrayLike<number>, at: number, length: number): string {
  const bytes = Buffer.alloc(length * 2);
  for (let index = 0; index < length; index++) bytes.writeUInt16BE(registers[at + index] ?? 0, index * 2);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end).trim();
}
