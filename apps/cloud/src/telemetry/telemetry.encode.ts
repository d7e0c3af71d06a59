import type { FieldSlot, TelemetryBlock } from './telemetry.blocks.ts';
import { kindOf, OVERFLOW } from './telemetry.blocks.ts';
import type { TableFields } from './telemetry.catalog.ts';

/** A text without lone surrogates, which would refuse the whole block. */
const quoted = (text: string): string => JSON.stringify(text.isWellFormed() ? text : text.toWellFormed());

/**
 * The blocks as lines of JSONEachRow, with one string concatenation for each value and no object in between.
 *
 * Gaps: null, NaN and infinite values are left out. Every field must be in the catalog.
 */
export function encodeBlocks(
  blocks: readonly TelemetryBlock[],
  fieldsOf: (block: TelemetryBlock) => TableFields,
  storedAt: number,
): Buffer {
  const parts: string[] = [];
  for (const block of blocks) parts.push(encodeBlock(block, fieldsOf(block), storedAt));
  return Buffer.from(parts.join(''));
}

function encodeBlock(block: TelemetryBlock, fields: TableFields, storedAt: number): string {
  const { workgroup, device, stream, rows } = block;
  const head = `{"workgroup":${quoted(workgroup)},"tbl":${quoted(stream.table)},"device":${quoted(device)},"source":${quoted(stream.source)},"store_time":${storedAt},"msg_id":`;
  const slots = stream.fields.map(({ name, type }) => fields[kindOf(type)].get(name) as FieldSlot);
  // A name that stands twice counts once: the engine refuses a line that has a key twice.
  const names = stream.fields.map(({ name, type }) => `${kindOf(type)} ${name}`);
  const keys = slots.map(({ kind, slot }, i) =>
    slot === OVERFLOW || names.indexOf(names[i] as string) < i ? '' : `,"${kind}${slot}":`,
  );
  const overflows = slots.some(({ slot }) => slot === OVERFLOW);
  let out = '';
  for (const row of rows) {
    out += `${head + row[0]},"event_time":${row[1]}`;
    for (let i = 0; i < keys.length; i++) {
      const value = row[i + 2];
      const key = keys[i];
      if (value === null || value === undefined || !key) continue;
      if (typeof value === 'string') out += key + quoted(value);
      else if (Number.isFinite(value)) out += key + value;
    }
    out += overflows ? `${overflowOf(row, slots)}}\n` : '}\n';
  }
  return out;
}

function overflowOf(row: TelemetryBlock['rows'][number], slots: readonly FieldSlot[]): string {
  let numbers = '';
  let texts = '';
  slots.forEach(({ field, slot }, i) => {
    const value = row[i + 2];
    if (slot !== OVERFLOW) return;
    if (typeof value === 'string') texts += `${texts ? ',' : ''}${quoted(field)}:${quoted(value)}`;
    else if (Number.isFinite(value)) numbers += `${numbers ? ',' : ''}${quoted(field)}:${value}`;
  });
  return `${numbers ? `,"nx":{${numbers}}` : ''}${texts ? `,"sx":{${texts}}` : ''}`;
}
