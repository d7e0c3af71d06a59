import { main } from '@albedo/plugin-kit/run-plugin';
import { iec104Plugin } from './iec104.plugin.ts';

await main(iec104Plugin);
