import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerTCP } from 'modbus-serial';
import { SLOW_MS } from '../controls/behaviours.ts';
import type { Plant } from '../plants/plant.ts';
import { isTaken, writtenPoints } from './control-models.ts';
import { deviceRegisters, inverterModels } from './devices.ts';
import { BASE_ADDRESS } from './register-image.ts';

/** Exception codes. Source: Modbus Application Protocol 1.1b3, section 7. */
const ILLEGAL_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
const ILLEGAL_VALUE = 3;
const DEVICE_FAILURE = 4;
const TARGET_FAILED_TO_RESPOND = 11;
const MAX_REGISTERS = 125;

/**
 * One plant behind one Modbus TCP port, as a gateway with a unit id for each device.
 *
 * Rules: an address outside the models gives exception 2, more than 125 registers 3, an unknown or silent unit 11,
 * every write and every other kind of register 1. All registers of a unit show the same second. A plant with controls takes
 * writes with functions 6 and 16: what is no setpoint gives exception 2, a value that no inverter takes 3.
 */
export class PlantServer {
  readonly #plant: Plant;
  readonly #now: () => number;
  readonly #images = new Map<number, { at: number; registers: Uint16Array }>();
  #server: ServerTCP | null = null;

  constructor(plant: Plant, now: () => number = Date.now) {
    this.#plant = plant;
    this.#now = now;
  }

  /** Listens, on a free port when `port` is 0, and gives the port. Throws when the port is taken. */
  async start(host: string, port: number): Promise<number> {
    const server = new ServerTCP(
      {
        getHoldingRegister: (address: number, unit: number) => this.#read(address, 1, unit)[0] ?? 0,
        getMultipleHoldingRegisters: (address: number, length: number, unit: number) =>
          this.#read(address, length, unit),
        // Without these the library would leave the master without an answer.
        getInputRegister: () => refuse(ILLEGAL_FUNCTION),
        getCoil: () => refuse(ILLEGAL_FUNCTION),
        getDiscreteInput: () => refuse(ILLEGAL_FUNCTION),
        setCoil: () => refuse(ILLEGAL_FUNCTION),
        setRegister: (address: number, value: number, unit: number) => this.#write(6, address, [value], unit),
        setRegisterArray: (address: number, values: number[], unit: number) =>
          this.#write(16, address, values, unit),
      },
      // The library takes 0 for its default port, but passes a text on as it is.
      { host, port: String(port) as unknown as number },
    );
    this.#server = server;
    // A peer that goes away in the middle of a request is its own business.
    server.on('socketError', () => {});
    server.on('error', () => {});
    await Promise.race([
      once(server, 'initialized'),
      once(server, 'serverError').then(([error]) => Promise.reject(error)),
    ]);
    const { _server: listener } = server as unknown as { _server: Server };
    return (listener.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #read(address: number, length: number, unit: number): number[] {
    if (length > MAX_REGISTERS) refuse(ILLEGAL_VALUE);
    const at = this.#second(unit);
    const registers = this.#image(unit, at);
    const from = address - BASE_ADDRESS;
    if (from < 0 || from + length > registers.length) refuse(ILLEGAL_ADDRESS);
    return Array.from(registers.subarray(from, from + length));
  }

  async #write(code: 6 | 16, address: number, values: number[], unit: number): Promise<void> {
    const { controls, description } = this.#plant;
    const at = this.#second(unit);
    if (!controls || unit > description.inverters) return refuse(ILLEGAL_FUNCTION);
    if (controls.has(unit, code === 6 ? 'function-16-only' : 'function-6-only')) refuse(ILLEGAL_FUNCTION);
    if (controls.has(unit, 'ignores')) await new Promise(() => {});
    if (controls.has(unit, 'slow')) await sleep(SLOW_MS, undefined, { ref: false });
    if (controls.has(unit, 'local-mode')) refuse(DEVICE_FAILURE);
    const { points } = controls.state(unit, at);
    const models = inverterModels(this.#plant, unit, at);
    const written = writtenPoints(models, address, values, (name) => Object.hasOwn(points, name));
    if (written === null) return refuse(ILLEGAL_ADDRESS);
    const { scale } = description.inverter.control;
    if (!Object.entries(written).every(([name, raw]) => isTaken(name, raw, scale))) refuse(ILLEGAL_VALUE);
    controls.write({ at: this.#second(unit), unit, values: written });
    this.#images.clear();
  }

  /** The second that it is; refused where no such unit answers. */
  #second(unit: number): number {
    const now = this.#now();
    const at = Math.floor(now / 1000) * 1000;
    if (!this.#plant.units().includes(unit) || !this.#plant.answers(unit, at))
      refuse(TARGET_FAILED_TO_RESPOND);
    this.#plant.controls?.catchUp(now);
    return at;
  }

  #image(unit: number, at: number): Uint16Array {
    const known = this.#images.get(unit);
    if (known?.at === at) return known.registers;
    const registers = deviceRegisters(this.#plant, unit, at) ?? refuse(TARGET_FAILED_TO_RESPOND);
    this.#images.set(unit, { at, registers });
    return registers;
  }
}

function refuse(modbusErrorCode: number): never {
  throw Object.assign(new Error(`Modbus exception ${modbusErrorCode}`), { modbusErrorCode });
}
