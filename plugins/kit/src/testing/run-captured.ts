import { vi } from 'vitest';
import type { Plugin } from '../plugin.ts';
import { runPlugin } from '../run-plugin.ts';

interface CapturedOptions {
  environment?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** Runs a plugin as its command does, in this process; answers its exit code and what it said. */
export async function runCaptured(
  plugin: Plugin,
  args: string[],
  { environment = {}, signal = new AbortController().signal }: CapturedOptions = {},
): Promise<{ code: number; out: string; err: string }> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const said = (spy: typeof out) => spy.mock.calls.map(([text]) => text).join('');
  try {
    const code = await runPlugin(plugin, args, signal, environment);
    return { code, out: said(out), err: said(err) };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}
