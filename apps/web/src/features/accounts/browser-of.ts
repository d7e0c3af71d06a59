/** Names that browsers give themselves; the first that stands in the text counts, since most claim to be others too. */
const BROWSERS: readonly [sign: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/(?:Headless)?Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [sign: RegExp, name: string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** A browser and its system by what it says it is, such as `Firefox, Linux`; null for what no browser says. */
export function browserOf(agent: string): string | null {
  const nameIn = (names: typeof BROWSERS) => names.find(([sign]) => sign.test(agent))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (!browser) return agent.split(/[\s/(]/)[0] || null;
  return system ? `${browser}, ${system}` : browser;
}
