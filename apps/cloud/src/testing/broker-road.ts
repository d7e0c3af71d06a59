import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket, connect as tcp } from 'node:net';
import { parser as packetParser } from 'mqtt-packet';

/** A road to the broker. `kill` is called in place of handing on the first acknowledgement, and nothing gets through after it. */
export async function openRoad(
  port: number,
): Promise<{ port: number; kill: (() => void) | null; stop: () => void }> {
  const sockets = new Set<Socket>();
  const road = { port: 0, kill: null as (() => void) | null, stop: () => {} };
  const server = createServer((socket) => {
    const on = tcp(port, '127.0.0.1');
    for (const one of [socket, on]) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => sockets.delete(one));
    }
    on.pipe(socket);
    let isCut = false;
    const packets = packetParser({ protocolVersion: 4 }).on('packet', ({ cmd }) => {
      if (cmd === 'puback' && road.kill) isCut = true;
    });
    socket.on('data', (chunk) => {
      packets.parse(chunk);
      if (!isCut) return void on.write(chunk);
      road.kill?.();
      on.destroy();
    });
    socket.on('close', () => on.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  road.port = (server.address() as AddressInfo).port;
  road.stop = () => {
    server.close();
    for (const one of sockets) one.destroy();
  };
  return road;
}
