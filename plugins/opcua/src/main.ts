import { main } from '@albedo/plugin-kit/run-plugin';
import { opcuaPlugin } from './opcua.plugin.ts';

await main(opcuaPlugin);
