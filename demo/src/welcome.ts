import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DemoSettings } from './settings.ts';

/** What the terminal shows when everything runs. `password` is null unless this start made it. */
export function welcome(settings: DemoSettings, password: string | null): string {
  const rows: [string, string][] = [
    ['Open', settings.publicUrl],
    ['E-mail', settings.ownerEmail],
    ['Password', passwordText(settings, password)],
    ['Data', settings.dataDir],
    ['Logs', join(settings.dataDir, 'demo/logs')],
    ['Stop', 'Control-C'],
  ];
  const lines = ['Albedo is running.', '', ...rows.map(([name, text]) => `${name.padEnd(10)}${text}`)];
  const width = Math.max(...lines.map((line) => line.length)) + 4;
  const rule = '─'.repeat(width);
  return `\n${[`┌${rule}┐`, ...lines.map((line) => `│  ${line.padEnd(width - 2)}│`), `└${rule}┘`].join('\n')}\n\n`;
}

/** What the terminal shows when the start ends before the welcome, but after the first owner was made. */
export function leftPassword(settings: DemoSettings, password: string): string {
  return `The first owner was made: ${settings.ownerEmail}, password ${passwordText(settings, password)}`;
}

function passwordText({ dataDir, isPasswordChosen }: DemoSettings, password: string | null): string {
  const note = join(dataDir, 'demo/password-shown');
  if (password !== null) {
    mkdirSync(dirname(note), { recursive: true });
    writeFileSync(note, `${new Date().toISOString()}\n`);
    return `${password}   (shown this once, kept nowhere)`;
  }
  if (isPasswordChosen) return 'the one in ALBEDO_OWNER_PASSWORD';
  const shown = existsSync(note) ? ` (${readFileSync(note, 'utf8').slice(0, 16).replace('T', ' ')} UTC)` : '';
  return `was shown at the first start${shown}; npm start -- --reset begins anew`;
}
