import type { Column, PluginRecord } from '@albedo/plugin-kit/records/record';
import type { ModelBlock } from '@albedo/plugin-kit/sunspec/layout';
import { slotsOfModel } from './device.ts';
import { findModel } from './models.ts';

/** Registers in one line of what is shown of a model that nothing is known of. */
const IN_A_LINE = 8;

/** Shows every model of a device: the points of those that are known, the bare registers of the others. */
export class DeviceModels {
  readonly #blocks: ModelBlock[];

  constructor(blocks: ModelBlock[]) {
    this.#blocks = blocks;
  }

  /** One record for each model; `registers` has one list for each, beginning with the model's id. */
  records(
    registers: ArrayLike<number>[],
    source: PluginRecord['source'],
    about: [string, string][],
  ): PluginRecord[] {
    return this.#blocks.map((block, index) => {
      const model = findModel(block.id);
      const title = `${block.id}${model ? ` (${model.title})` : ''}, ${block.length - 2} registers from ${block.address + 2}`;
      const own = registers[index] ?? [];
      const cells = model
        ? slotsOfModel(model, block).map(({ column, read }) => ({ column, value: read([own]) }))
        : bareCells(own);
      return {
        table: model?.table ?? '-',
        source,
        about: [...(index === 0 ? about : []), ['Shown model', title]],
        columns: cells.map(({ column }) => column),
        values: cells.map(({ value }) => value),
      };
    });
  }
}

/** Hexadecimal, as the tables of makers have them. */
function bareCells(registers: ArrayLike<number>): { column: Column; value: string }[] {
  const bare = Array.from(registers).slice(2);
  return Array.from({ length: Math.ceil(bare.length / IN_A_LINE) }, (_, line) => {
    const words = bare.slice(line * IN_A_LINE, (line + 1) * IN_A_LINE);
    return {
      column: { name: `Registers from ${line * IN_A_LINE + 2}`, type: 'keyword' as const },
      value: words.map((word) => word.toString(16).padStart(4, '0')).join(' '),
    };
  });
}
