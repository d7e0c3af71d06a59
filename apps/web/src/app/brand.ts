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

type Rgb = [number, number, number];
export type Shades = [string, string, string, string, string, string, string, string, string, string];

/** Ten shades of a colour from lightest to darkest; the colour itself is the sixth, as Mantine counts. */
export function shadesOf(colour: string): Shades {
  const lighter = [0.92, 0.8, 0.62, 0.42, 0.22].map((amount) => mix(colour, '#ffffff', amount));
  const darker = [0.16, 0.32, 0.48, 0.62].map((amount) => mix(colour, '#000000', amount));
  return [...lighter, colour, ...darker] as Shades;
}

/** What can be read on the colour: the text that is wanted, else black or white, whichever is clearer. */
export function textOn(colour: string, wanted: string): string {
  if (contrast(wanted, colour) >= READABLE) return wanted;
  return contrast('#000000', colour) >= contrast('#ffffff', colour) ? '#000000' : '#ffffff';
}

/**
 * For what the pointer is over: 30 percent lighter, or as much lighter or darker as leaves the text on it readable.
 */
export function hoverOf(colour: string, text: string = BRAND.text): string {
  for (const [towards, amounts] of [
    ['#ffffff', [0.3, 0.25, 0.2, 0.15, 0.1]],
    ['#000000', [0.1, 0.2, 0.3]],
  ] as const)
    for (const amount of amounts) {
      const hover = mix(colour, towards, amount);
      if (contrast(hover, text) >= READABLE) return hover;
    }
  return colour;
}

/** The colour, darkened or lightened until it can be read on the background with at least this contrast. */
export function readableOn(colour: string, background: string, ratio: number = READABLE): string {
  const towards = luminance(background) > 0.4 ? '#000000' : '#ffffff';
  for (let amount = 0; amount < 1; amount += 0.02) {
    const candidate = mix(colour, towards, amount);
    if (contrast(candidate, background) >= ratio) return candidate;
  }
  return towards;
}

/** Contrast of two colours as WCAG 2 defines it, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function mix(from: string, to: string, amount: number): string {
  const target = parse(to);
  const mixed = parse(from).map((part, index) => Math.round(part + ((target[index] ?? 0) - part) * amount));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function parse(colour: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as Rgb;
}

function luminance(colour: string): number {
  const [r, g, b] = parse(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
