import {
  BRAND_IMAGE_BYTES,
  BRAND_IMAGE_SIDE,
  type BrandImageType,
} from '@albedo/contract/branding/brand-images';
import { imageSize } from 'image-size';
import { refusal } from './refusal.ts';
import { demandSelfContainedSvg } from './svg-check.ts';
import { cleanSvg } from './svg-cleaner.ts';

export interface CheckedImage {
  type: BrandImageType;
  /** As it is kept: an SVG without what does not belong to drawing, anything else as it came. */
  content: Buffer;
}

/**
 * What an uploaded image is, by its bytes and not by what it is called. Rejects with `branding.image_invalid` and the
 * reason.
 */
export async function checkImage(content: Buffer): Promise<CheckedImage> {
  if (content.length > BRAND_IMAGE_BYTES) throw refusal('issue.image_large');
  const type = typeOf(content);
  if (type === null) throw refusal('issue.image_kind');
  if (type === 'image/svg+xml') demandSelfContainedSvg(content);
  const { width, height } = sizeOf(content);
  const { min, max } = BRAND_IMAGE_SIDE;
  for (const side of [width, height]) {
    if (side < min || side > max) {
      const facts = { width: `${width}`, height: `${height}`, min: `${min}`, max: `${max}` };
      throw refusal('issue.image_sides', facts);
    }
  }
  return { type, content: type === 'image/svg+xml' ? await cleanSvg(content) : content };
}

function typeOf(content: Uint8Array): BrandImageType | null {
  const begins = (bytes: number[], at = 0) => bytes.every((byte, index) => content[at + index] === byte);
  const text = (from: number, to: number) => Buffer.from(content.subarray(from, to)).toString('latin1');
  if (begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (begins([0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  if (/^GIF8[79]a/.test(text(0, 6))) return 'image/gif';
  return /^(\u00ef\u00bb\u00bf)?\s*</.test(text(0, 200)) ? 'image/svg+xml' : null;
}

function sizeOf(content: Uint8Array): { width: number; height: number } {
  try {
    return imageSize(content);
  } catch {
    throw refusal('issue.image_damaged');
  }
}
