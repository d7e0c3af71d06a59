/** Default colours of the product. Source: specification 1, section 1. */
export const BRAND = {
  primary: '#b0c748',
  secondary: '#86afbc',
  accent: '#9C27B0',
  text: '#000000',
} as const;

type Rgb = [number, number, number];
export type Shades = [string, string, string, string, string, string, string, string, string, string];

/** Ten shades of a colour from lightest to darkest; the colour itself is the sixth, as Mantine counts. */
export function shadesOf(colour: string): Shades {
  const lighter = [0.92, 0.8, 0.62, 0.42, 0.22].map((amount) => mix(colour, '#ffffff', amount));
  const darker = [0.16, 0.32, 0.48, 0.62].map((amount) => mix(colour, '#000000', amount));
  return [...lighter, colour, ...darker] as Shades;
}

/** 30 percent lighter, for what the pointer is over. */
export const hoverOf = (colour: string): string => mix(colour, '#ffffff', 0.3);

/** The colour, darkened or lightened until it can be read on the background with at least this contrast. */
export function readableOn(colour: string, background: string, ratio = 4.5): string {
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
