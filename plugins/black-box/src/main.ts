import { main } from '@albedo/plugin-kit/run-plugin';
import { blackBoxPlugin } from './black-box.plugin.ts';

await main(blackBoxPlugin);
