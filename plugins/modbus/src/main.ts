import { main } from '@albedo/plugin-kit/run-plugin';
import { modbusPlugin } from './modbus.plugin.ts';

await main(modbusPlugin);
