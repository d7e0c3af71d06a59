import { main } from '@albedo/plugin-kit/run-plugin';
import { httpPlugin } from './http.plugin.ts';

await main(httpPlugin);
