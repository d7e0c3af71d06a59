import { buildStale } from '../scripts/build.ts';

/** Once before all journeys, so that no worker builds beside another. */
// biome-ignore lint/style/noDefaultExport: Playwright calls it.
export default async function build(): Promise<void> {
  await buildStale((text) => process.stdout.write(`${text}\n`));
}
