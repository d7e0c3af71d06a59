import { main } from '@albedo/plugin-kit/run-plugin';
import { blueprintPlugin } from './blueprint.plugin.ts';

await main(blueprintPlugin);
