import { BRAND, contrast, luminance, parseColour, READABLE } from '@albedo/contract/branding/colours';

export type Shades = [string, string, string, string, string, string, string, string, string, string];

/** Ten shades of a colour from lightest to darkest; the colour itself is the sixth, as Mantine counts. */
export function shadesOf(colour: string): Shades {
  const lighter = [0.92, 0.8, 0.62, 0.42, 0.22].map((amount) => mix(colour, '#ffffff', amount));
  const darker = [0.16, 0.32, 0.48, 0.62].map((amount) => mix(colour, '#000000', amount));
  return [...lighter, colour, ...darker] as Shades;
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

function mix(from: string, to: string, amount: number): string {
  const target = parseColour(to);
  const mixed = parseColour(from).map((part, index) =>
    Math.round(part + ((target[index] ?? 0) - part) * amount),
  );
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
