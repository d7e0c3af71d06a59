/** What `npm start` runs: a living fleet on this machine. */
import { mkdirSync } from 'node:fs';
import { Demo, StartError } from './src/demo.ts';
import { readSettings } from './src/settings.ts';
import { welcome } from './src/welcome.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);

const settings = readSettings(process.env);
const demo = new Demo(settings, say);

let isStopping = false;
const stop = async (code: number) => {
  if (isStopping) return;
  isStopping = true;
  await demo.stop();
  process.exit(code);
};
const stopBySignal = () => {
  if (!isStopping) say('Stopping…');
  void stop(0);
};
process.on('SIGINT', stopBySignal);
process.on('SIGTERM', stopBySignal);
process.on('SIGHUP', stopBySignal);

try {
  mkdirSync(settings.dataDir, { recursive: true });
  say('Starting…');
  await demo.start();
  process.stdout.write(welcome(settings, demo.password));
} catch (error) {
  if (!isStopping) {
    const known =
      error instanceof StartError || !(error instanceof Error) ? String((error as Error).message) : null;
    process.stderr.write(`${known ?? `Albedo cannot start: ${(error as Error).message}`}\n`);
    await stop(1);
  }
}
