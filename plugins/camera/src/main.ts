import { main } from '@albedo/plugin-kit/run-plugin';
import { cameraPlugin } from './camera.plugin.ts';

await main(cameraPlugin);
