/** Red, green and blue, 0 to 255 each. */
type Rgb = [number, number, number];

/** Default colours of the product. Source: specification 1, section 1. */
export const BRAND = {
  primary: '#b0c748',
  secondary: '#86afbc',
  accent: '#9C27B0',
  text: '#000000',
} as const satisfies Colours;

/** Colours that a brand is made of, as `#rrggbb`; `text` stands on the primary one. */
export interface Colours {
  primary: string;
  secondary: string;
  accent: string;
  text: string;
}

/** What a text needs to be read, as WCAG 2 asks for. */
export const READABLE = 4.5;

/** What can be read on the colour: the text that is wanted, else black or white, whichever is clearer. */
export function textOn(colour: string, wanted: string): string {
  if (contrast(wanted, colour) >= READABLE) return wanted;
  return contrast('#000000', colour) >= contrast('#ffffff', colour) ? '#000000' : '#ffffff';
}

/** Contrast of two colours as WCAG 2 defines it, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Red, green and blue of `#rrggbb`. */
export function parseColour(colour: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as Rgb;
}

/** How light a colour is, 0 to 1, as WCAG 2 defines it. */
export function luminance(colour: string): number {
  const [r, g, b] = parseColour(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
