import { readLayout } from '@albedo/plugin-kit/sunspec/layout';
import { expect, test } from 'vitest';
import { DeviceRecords, wantedBlocks } from './device.ts';

/** A device whose registers begin at `base`; other addresses are refused as real ones refuse them. */
function device(base: number, models: number[][]) {
  const registers = [
    0x5375,
    0x6e53,
    ...models.flatMap(([id = 0, ...body]) => [id, body.length, ...body]),
    0xffff,
    0,
  ];
  return async (address: number, count: number) => {
    const from = address - base;
    if (from < 0 || from + count > registers.length)
      throw Object.assign(new Error('refused'), { exceptionCode: 2 });
    return registers.slice(from, from + count);
  };
}

/** Model 103 with a few values; what is not given is not implemented. Offsets as in the specification. */
function inverter(values: Record<number, number>): number[] {
  const signed = [14, 18, 20, 22, 31, 33, 34, 35, 36, 6, 13, 15, 17, 19, 21, 23, 26, 28, 30, 32, 37];
  const body = Array.from({ length: 50 }, (_, index) => {
    const offset = index + 2;
    if (offset === 24 || offset === 25) return values[offset] ?? 0;
    return values[offset] ?? (signed.includes(offset) ? 0x8000 : 0xffff);
  });
  return [103, ...body];
}

async function columnsOf(models: number[][]) {
  const read = device(40_000, models);
  const blocks = wantedBlocks(await readLayout(read), []);
  const registers = await Promise.all(blocks.map(({ address, length }) => read(address, length)));
  const [record] = new DeviceRecords(blocks).records(registers, ['x'], []);
  return Object.fromEntries(record?.columns.map(({ name }, index) => [name, record.values[index]]) ?? []);
}

test.each([[40_000], [50_000], [0]])('the marker is found at %i', async (base) => {
  expect((await readLayout(device(base, [inverter({})]))).blocks).toEqual([
    { id: 103, address: base + 2, length: 52 },
  ]);
});

test('a device without a marker, and a chain without an end, are errors', async () => {
  await expect(readLayout(device(7000, []))).rejects.toThrow('no SunSpec marker at 40000, 50000 or 0');
  const endless = async (address: number) => (address === 40_000 ? [0x5375, 0x6e53] : [1, 0]);
  await expect(readLayout(endless)).rejects.toThrow('has no end');
});

test('scale factors are applied without blurring digits, negative ones and positive ones', async () => {
  const model = inverter({
    14: 231,
    15: 0x10000 - 1,
    2: 4127,
    6: 0x10000 - 2,
    24: 0x12,
    25: 0x3456,
    26: 1,
    16: 4998,
    17: 0x10000 - 2,
  });
  expect(await columnsOf([model])).toEqual({
    'AC Power': 23.1,
    'AC Current': 41.27,
    'Total Energy': 11_930_460,
    'Grid Freq': 49.98,
  });
});

test('negative values, a power factor in per cent, states and events are read', async () => {
  const model = inverter({
    20: 0x10000 - 150,
    21: 0,
    22: 0x10000 - 985,
    23: 0x10000 - 1,
    38: 7,
    40: 0,
    41: (1 << 12) | (1 << 4),
  });
  expect(await columnsOf([model])).toEqual({
    'Reactive Power': -150,
    'Cos Phi': -0.985,
    Status: 'Fault',
    Event: 'Grid disconnect; Blown string fuse',
  });
});

test('an unknown state is its number; a value whose scale factor is missing is not there', async () => {
  expect(await columnsOf([inverter({ 38: 99, 14: 100 })])).toEqual({ Status: '99' });
});

test('float models and several repeating blocks are read', async () => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(1234.5);
  const float: number[] = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? 0x7fc0 : 0));
  float.splice(20, 2, bytes.readUInt16BE(0), bytes.readUInt16BE(2));
  const temperatures = [303, 251, 0x10000 - 32];
  expect(await columnsOf([[113, ...float]])).toMatchObject({ 'AC Power': 1234.5 });
  expect(await columnsOf([temperatures])).toEqual({
    'Module Temperature 1': 25.1,
    'Module Temperature 2': -3.2,
  });
});

test.each([
  [111, 30, 98.5, 0.985],
  [113, 30, -0.985, -0.985],
  [113, 30, 1, 1],
  [213, 52, 98.5, 0.985],
  [213, 52, 0.5, 0.5],
])('the power factor of model %d at %d, a float of %d, is %d', async (id, offset, given, wanted) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(given);
  const float: number[] = Array.from({ length: 124 }, (_, index) => (index % 2 === 0 ? 0x7fc0 : 0));
  float.splice(offset - 2, 2, bytes.readUInt16BE(0), bytes.readUInt16BE(2));
  expect(await columnsOf([[id, ...float]])).toMatchObject({ 'Cos Phi': wanted });
});

/** A model without values, but for those at these offsets. */
const modelOf = (id: number, length: number, values: Record<number, number>) => [
  id,
  ...Array.from({ length }, (_, index) => values[index + 2] ?? 0x8000),
];

test('measurements and status (model 122) are read, energies of 64 bits to the last digit', async () => {
  const model = modelOf(122, 44, {
    2: 0b101,
    5: 0x20,
    6: 0,
    7: 0,
    8: 1,
    9: 0,
    10: 0,
    11: 1,
    12: 2,
    31: 420,
    32: 1,
    43: 2,
  });
  expect(await columnsOf([model])).toMatchObject({
    'Lifetime Active Energy': '9007199254740993',
    'Lifetime Apparent Energy': 65_538,
    'Available Power': 4200,
    'PV Connection': 'Connected; Operating',
    'Ride Through': 'HVRT',
  });
});

test('advanced string combiners (models 402 and 404) are read, string by string', async () => {
  const sf = 0x10000 - 1;
  const common = { 2: sf, 4: sf, 5: 0, 6: 1, 13: 123, 16: 6105, 17: 41, 18: 7500, 20: 0, 21: 12 };
  const strings = (first: number) => ({
    [first + 5]: 61,
    [first + 8]: 6100,
    [first + 9]: 372,
    [first + 10]: 0,
    [first + 11]: 44,
  });
  const wanted = {
    'DC Current': 12.3,
    'DC Voltage': 610.5,
    Temperature: 41,
    'DC Power': 7500,
    'DC Energy': 120,
  };
  expect(await columnsOf([modelOf(402, 34, { ...common, ...strings(22) })])).toMatchObject({
    ...wanted,
    'String Current 1': 6.1,
    'String Voltage 1': 610,
    'String Power 1': 3720,
    'String Energy 1': 44,
  });
  const factors = { 22: sf, 24: sf, 25: 0, 26: 2 };
  expect(
    await columnsOf([modelOf(404, 53, { ...common, ...factors, ...strings(27), ...strings(41) })]),
  ).toMatchObject({
    ...wanted,
    'String Current 2': 6.1,
    'String Voltage 2': 610,
    'String Power 2': 372,
    'String Energy 2': 4400,
  });
});

test('a column that was once there stays when the device falls asleep', async () => {
  const read = device(40_000, [inverter({})]);
  const blocks = wantedBlocks(await readLayout(read), []);
  const records = new DeviceRecords(blocks);
  const of = (values: Record<number, number>) => {
    const [id = 0, ...body] = inverter(values);
    return records.records([[id, body.length, ...body]], ['x'], [])[0];
  };
  expect(of({ 14: 5, 15: 0, 38: 4 })?.values).toEqual([5, 'MPPT']);
  expect(of({ 38: 2 })).toMatchObject({
    values: [null, 'Sleeping'],
    columns: [{ name: 'AC Power' }, { name: 'Status' }],
  });
});
