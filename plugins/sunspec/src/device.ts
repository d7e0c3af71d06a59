import type { Column, PluginRecord, Value } from '@albedo/plugin-kit/records/record';
import { decodePoint, decodeText } from './decode.ts';
import type { Model, Point } from './model.ts';
import { findModel } from './models.ts';

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

/** Blocks whose points become columns; with `required`, exactly those, and a missing one is an error. */
export function wantedBlocks(layout: DeviceLayout, required: number[]): ModelBlock[] {
  for (const id of required) {
    if (!layout.blocks.some((block) => block.id === id)) throw new Error(`the device has no model ${id}`);
  }
  const wanted = layout.blocks.filter(
    ({ id }) => findModel(id) && (required.length === 0 || required.includes(id)),
  );
  if (wanted.length === 0) {
    throw new Error(`none of the models ${layout.blocks.map(({ id }) => id).join(', ')} is known`);
  }
  return wanted;
}

export interface Slot {
  column: Column;
  read: (blocks: ArrayLike<number>[]) => Value;
}

/**
 * Turns the registers of a device into records, one for each table.
 *
 * A point that was once there keeps its column, so that the header does not change when a device sleeps.
 */
export class DeviceRecords {
  readonly #slots = new Map<Model['table'], Slot[]>();
  readonly #present = new Set<Slot>();

  constructor(blocks: ModelBlock[]) {
    for (const [index, block] of blocks.entries()) {
      const model = findModel(block.id);
      if (!model) continue;
      const slots = this.#slots.get(model.table) ?? [];
      slots.push(...slotsOf(model, block, index));
      this.#slots.set(model.table, slots);
    }
  }

  /** `registers` has one list for each block, each beginning with the model's id. */
  records(
    registers: ArrayLike<number>[],
    source: PluginRecord['source'],
    about: [string, string][],
  ): PluginRecord[] {
    return [...this.#slots].flatMap(([table, slots]) => {
      const read = slots.map((slot) => ({ slot, value: slot.read(registers) }));
      for (const { slot, value } of read) if (value !== null) this.#present.add(slot);
      const shown = read.filter(({ slot }) => this.#present.has(slot));
      if (shown.length === 0) return [];
      return [
        {
          table,
          source,
          about,
          columns: shown.map(({ slot }) => slot.column),
          values: shown.map((one) => one.value),
        },
      ];
    });
  }
}

/** The points of a model that become columns, also where the device does not have them. */
export const slotsOfModel = (model: Model, block: ModelBlock): Slot[] => slotsOf(model, block, 0);

function slotsOf(model: Model, block: ModelBlock, index: number): Slot[] {
  const fixed = model.points
    .filter((point) => point.offset < block.length)
    .map((point) => slotOf(point, point.column, index, 0));
  const repeating = model.repeating;
  if (!repeating) return fixed;
  const count = Math.floor((block.length - repeating.fixedLength) / repeating.repeatLength);
  const isNumbered = count > 1 || model.table === 'solar' || model.table === 'strings';
  const repeated = Array.from({ length: count }, (_, which) =>
    repeating.points.map((point) => {
      const name = isNumbered ? `${point.column} ${which + 1}` : point.column;
      return slotOf(point, name, index, repeating.fixedLength + which * repeating.repeatLength);
    }),
  );
  return [...fixed, ...repeated.flat()];
}

function slotOf(point: Point, name: string, index: number, blockAt: number): Slot {
  const type = ['enum16', 'bits16', 'bits32'].includes(point.type) ? 'keyword' : 'decimal';
  return {
    column: { name, type, ...(point.units && { units: point.units }) },
    read: (blocks) => decodePoint(blocks[index] ?? [], point, blockAt),
  };
}
