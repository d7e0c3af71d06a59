/** Largest image of a brand, bytes. */
export const BRAND_IMAGE_BYTES = 500_000;
/** Sides of an image of a brand, pixels. */
export const BRAND_IMAGE_SIDE = { min: 8, max: 4096 } as const;

export const BRAND_IMAGE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/svg+xml',
] as const;
export type BrandImageType = (typeof BRAND_IMAGE_TYPES)[number];
