import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Writes how long each test file took, ms by path, into the file that `ALBEDO_FILE_TIMES` names: with the reading of its
 * modules and all that it starts before its tests, which the JSON of vitest leaves out.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads a reporter as the default of its module
export default class FileTimes implements Reporter {
  readonly #times: Record<string, number> = {};

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, setupDuration, duration } = module.diagnostic();
    this.#times[module.moduleId] = collectDuration + setupDuration + duration;
  }

  onTestRunEnd(): void {
    const path = process.env.ALBEDO_FILE_TIMES;
    if (path) writeFileSync(path, JSON.stringify(this.#times));
  }
}
