import { once } from 'node:events';
import { type BlockList, createServer, isIPv4, type Server, type Socket } from 'node:net';

/** Connections at once. */
const MOST_CLIENTS = 32;
/** A client that says nothing for so long is gone, ms. */
const SILENT_MS = 10 * 60_000;
const HEADER = 7;
/** Source: Modbus Application Protocol 1.1b3, 6.3 and 7. */
const MOST_REGISTERS = 125;
const [READ_HOLDING, READ_INPUT] = [3, 4];
const [ILLEGAL_FUNCTION, ILLEGAL_ADDRESS, ILLEGAL_VALUE] = [1, 2, 3];

/** Serves registers to whoever may ask; nobody can write. Source: Modbus Messaging on TCP/IP 1.0b, 3.1.3. */
export class ModbusTcpServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #clients: BlockList | null;
  readonly #registers: () => ReadonlyMap<number, number>;
  #requests = 0;

  /** `clients` null: everybody. Registers by their number on the wire. */
  constructor(registers: () => ReadonlyMap<number, number>, clients: BlockList | null) {
    this.#registers = registers;
    this.#clients = clients;
    this.#server = createServer((socket) => this.#serve(socket));
    this.#server.maxConnections = MOST_CLIENTS;
  }

  /** Rejects when the address is taken or not allowed. */
  async listen(host: string, port: number): Promise<void> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    this.#server.on('error', () => {});
  }

  /** Requests since the last time. */
  takeRequests(): number {
    const count = this.#requests;
    this.#requests = 0;
    return count;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: Socket): void {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    if (this.#clients && !this.#clients.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.setNoDelay(true).setTimeout(SILENT_MS, () => socket.destroy());
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    let bytes = Buffer.alloc(0);
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more]);
      while (bytes.length >= HEADER) {
        const length = bytes.readUInt16BE(4);
        // Not Modbus: there is no way to find the next request.
        if (bytes.readUInt16BE(2) !== 0 || length < 2 || length > 254) return void socket.destroy();
        if (bytes.length < 6 + length) return;
        socket.write(this.#answer(bytes.subarray(0, 6 + length)));
        bytes = bytes.subarray(6 + length);
      }
    });
  }

  #answer(request: Buffer): Buffer {
    this.#requests++;
    const pdu = this.#read(request.subarray(HEADER));
    const header = Buffer.from(request.subarray(0, HEADER));
    header.writeUInt16BE(pdu.length + 1, 4);
    return Buffer.concat([header, pdu]);
  }

  #read(pdu: Buffer): Buffer {
    const code = pdu.readUInt8(0);
    const refusal = (reason: number) => Buffer.from([(code | 0x80) & 0xff, reason]);
    if (code !== READ_HOLDING && code !== READ_INPUT) return refusal(ILLEGAL_FUNCTION);
    if (pdu.length !== 5) return refusal(ILLEGAL_VALUE);
    const [first, count] = [pdu.readUInt16BE(1), pdu.readUInt16BE(3)];
    if (count < 1 || count > MOST_REGISTERS) return refusal(ILLEGAL_VALUE);
    const registers = this.#registers();
    const answer = Buffer.alloc(2 + count * 2);
    answer.writeUInt8(code, 0);
    answer.writeUInt8(count * 2, 1);
    let known = 0;
    for (let index = 0; index < count; index++) {
      const value = registers.get(first + index);
      if (value !== undefined) known++;
      answer.writeUInt16BE(value ?? 0, 2 + index * 2);
    }
    // Gaps between values read as 0, so that a client can fetch a block.
    return known === 0 ? refusal(ILLEGAL_ADDRESS) : answer;
  }
}
