import type { Language } from '@albedo/contract/settings/settings.schema';

/** The pages of our documentation, each loaded when it is read. */
const files = import.meta.glob<string>('../../../../../docs/help/*/*.md', {
  query: '?raw',
  import: 'default',
});

const pages = new Map(
  Object.entries(files).map(([path, load]) => [path.replace(/^.*\/help\/|\.md$/g, ''), load] as const),
);

export interface HelpPage {
  key: string;
  title: string;
  /** Markdown without the title. */
  text: string;
}

export const hasHelp = (key: string | undefined): key is string =>
  key !== undefined && pages.has(`en/${key}`);

/** The page in the user's language, or in English where that has none. Errors: when it cannot be loaded. */
export async function loadHelp(key: string, language: Language): Promise<HelpPage> {
  const load = pages.get(`${language}/${key}`) ?? pages.get(`en/${key}`);
  if (!load) throw new Error(`There is no page ${key}.`);
  const [heading = '', ...rest] = (await load()).split('\n');
  return { key, title: heading.replace(/^#\s*/, ''), text: rest.join('\n').trim() };
}

/** Every page, first steps first, the others by their titles. Errors: when one cannot be loaded. */
export async function loadHelpIndex(language: Language): Promise<HelpPage[]> {
  const keys = [...pages.keys()]
    .filter((path) => path.startsWith('en/'))
    .map((path) => path.slice('en/'.length));
  const all = await Promise.all(keys.map((key) => loadHelp(key, language)));
  const rank = ({ key }: HelpPage) => (key === 'start' ? 0 : 1);
  return all.toSorted((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title, language));
}
