import type { Column, PluginRecord, Value } from '@albedo/plugin-kit/records/record';
import type { DeviceLayout, ModelBlock } from '@albedo/plugin-kit/sunspec/layout';
import { decodePoint } from './decode.ts';
import type { Model, Point } from './model.ts';
import { findModel } from './models.ts';

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

  /** `registers` has one list for each block, each beginning with the model's id; an empty one for what was not read. */
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
    read: (blocks) => {
      const own = blocks[index] ?? [];
      return own.length === 0 ? null : decodePoint(own, point, blockAt);
    },
  };
}
