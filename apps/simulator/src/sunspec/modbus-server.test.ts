import modbusSerial from 'modbus-serial';
import { afterEach, expect, test } from 'vitest';
import { Plant } from '../plants/plant.ts';
import { findPlant } from '../plants/plants.ts';
import { PlantServer } from './modbus-server.ts';

type Client = InstanceType<typeof modbusSerial.default>;
const NOON = Date.UTC(2026, 5, 14, 11);
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function connect(unit: number): Promise<Client> {
  const server = new PlantServer(new Plant(findPlant('hilltop')), () => NOON);
  const port = await server.start('127.0.0.1', 0);
  const client = new modbusSerial.default();
  await client.connectTCP('127.0.0.1', { port });
  client.setID(unit);
  client.setTimeout(2000);
  stops.push(async () => {
    await new Promise<void>((resolve) => client.close(() => resolve()));
    await server.stop();
  });
  return client;
}

/** Model ids with their lengths, as a master walks them. */
async function chain(client: Client): Promise<[number, number][]> {
  const found: [number, number][] = [];
  for (let address = 40_002; ; ) {
    const [id = 0xffff, length = 0] = (await client.readHoldingRegisters(address, 2)).data;
    if (id === 0xffff) return found;
    found.push([id, length]);
    address += 2 + length;
  }
}

test('an inverter carries the marker and models 1, 103 and 160 with the lengths of the specification', async () => {
  const client = await connect(2);
  expect((await client.readHoldingRegisters(40_000, 2)).buffer.toString()).toBe('SunS');
  expect(await chain(client)).toEqual([
    [1, 66],
    [103, 50],
    [160, 8 + 2 * 20],
  ]);
});

test('the meter carries 203, the weather station 302, 303, 305 and 307', async () => {
  expect(await chain(await connect(100))).toEqual([
    [1, 66],
    [203, 105],
  ]);
  expect((await chain(await connect(110))).map(([id]) => id)).toEqual([1, 302, 303, 305, 307]);
});

test('values carry their scale factors, and what a device lacks reads as not implemented', async () => {
  const client = await connect(1);
  const { data } = await client.readHoldingRegisters(40_070, 50);
  const plant = new Plant(findPlant('hilltop'));
  expect(data[14]).toBe(Math.round(plant.inverter(1, NOON).acPowerW));
  expect(data.slice(27, 31)).toEqual([0xffff, 0x8000, 0xffff, 0x8000]);
  expect(data[38]).toBe(4);
});

test.each([
  [39_999, 1, 2],
  [40_000, 126, 3],
  [40_160, 100, 2],
])('reading %i for %i registers gives exception %i', async (address, length, modbusCode) => {
  const client = await connect(1);
  await expect(client.readHoldingRegisters(address, length)).rejects.toMatchObject({ modbusCode });
});

test('an unknown unit gives exception 11, a write or another kind of register exception 1, and the device goes on answering', async () => {
  const client = await connect(9);
  await expect(client.readHoldingRegisters(40_000, 2)).rejects.toMatchObject({ modbusCode: 11 });
  client.setID(1);
  await expect(client.writeRegister(40_000, 1)).rejects.toMatchObject({ modbusCode: 1 });
  await expect(client.readInputRegisters(40_000, 2)).rejects.toMatchObject({ modbusCode: 1 });
  await expect(client.readCoils(0, 3)).rejects.toMatchObject({ modbusCode: 1 });
  expect((await client.readHoldingRegisters(40_000, 1)).data).toEqual([0x5375]);
});
