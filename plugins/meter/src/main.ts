import { main } from '@albedo/plugin-kit/run-plugin';
import { meterPlugin } from './meter.plugin.ts';

await main(meterPlugin);
