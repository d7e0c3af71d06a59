import { main } from '@albedo/plugin-kit/run-plugin';
import { sunspecPlugin } from './sunspec.plugin.ts';

await main(sunspecPlugin);
