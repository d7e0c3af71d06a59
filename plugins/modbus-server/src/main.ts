import { main } from '@albedo/plugin-kit/run-plugin';
import { modbusServerPlugin } from './modbus-server.plugin.ts';

await main(modbusServerPlugin);
