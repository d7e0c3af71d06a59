import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { refusal } from './refusal.ts';

const CHILD = join(import.meta.dirname, 'svg-cleaner.child.ts');
/** Enough for the largest picture; one that is made to take longer is refused. */
const LIMIT_MS = 20_000;
const MOST_BYTES = 4 * 1024 * 1024;

const cleanedSvg = z.object({
  svg: z.string(),
  /** The first thing that was taken out and that a person should know of. */
  refused: z.union([z.object({ element: z.string() }), z.object({ attribute: z.string() })]).nullable(),
});
export type CleanedSvg = z.output<typeof cleanedSvg>;

/**
 * An SVG with nothing in it but what the library knows to draw, in the namespaces of drawing: data of editors and what
 * nobody knows is gone. Throws `branding.image_invalid` where something was in it that runs or embeds, so that nobody
 * wonders why a picture does not do what it did.
 */
export async function cleanSvg(content: Buffer, limitMs = LIMIT_MS): Promise<Buffer> {
  const { svg, refused } = await clean(content, limitMs);
  if (refused && 'element' in refused) throw refusal('issue.svg_contains', { part: `<${refused.element}>` });
  if (refused) throw refusal('issue.svg_attribute', { name: refused.attribute });
  return Buffer.from(svg);
}

function clean(content: Buffer, limitMs: number): Promise<CleanedSvg> {
  return new Promise((resolve, reject) => {
    const args = ['--max-old-space-size=384', '--disable-warning=ExperimentalWarning', CHILD];
    const child = execFile(
      process.execPath,
      args,
      { timeout: limitMs, maxBuffer: MOST_BYTES, killSignal: 'SIGKILL', env: {} },
      (error, out) => {
        if (error) reject(refusal('issue.svg_broken'));
        else resolve(cleanedSvg.parse(JSON.parse(out)));
      },
    );
    // One that ends early leaves the rest unread.
    child.stdin?.on('error', () => {});
    child.stdin?.end(content);
  });
}
