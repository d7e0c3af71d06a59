import { main } from '@albedo/plugin-kit/run-plugin';
import { pvControlPlugin } from './pv-control.plugin.ts';

await main(pvControlPlugin);
