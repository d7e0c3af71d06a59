/** What `npm start` runs: a living fleet on this machine. */
import { mkdirSync } from 'node:fs';
import { Demo, StartError } from './src/demo.ts';
import { readSettings } from './src/settings.ts';
import { leftPassword, welcome } from './src/welcome.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);

const settings = readSettings(process.env);
const demo = new Demo(settings, say);

let isStopping = false;
let isWelcomed = false;
const stop = async (code: number) => {
  if (isStopping) return;
  isStopping = true;
  // A start that ended early has made the owner all the same, and nobody would ever see the password.
  if (!isWelcomed && demo.password !== null) say(leftPassword(settings, demo.password));
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
  isWelcomed = true;
} catch (error) {
  if (!isStopping) {
    const known =
      error instanceof StartError || !(error instanceof Error) ? String((error as Error).message) : null;
    process.stderr.write(`${known ?? `Albedo cannot start: ${(error as Error).message}`}\n`);
    await stop(1);
  }
}
