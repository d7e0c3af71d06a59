import { plain } from '../../ui/plain.ts';
import { collator } from '../../ui/units/locale.ts';

/** Something that the global search can find. */
export interface SearchItem {
  /** `pages`, `actions`, or what a feature announced. */
  category: string;
  /** Path of the page, or what its category calls it. */
  id: string;
  title: string;
  /** Of an action: what it does, and the keys that do the same. */
  run?: () => void;
  keys?: string | undefined;
}

export interface SearchIndex {
  items: readonly SearchItem[];
  /** What is compared, item by item: title and id without case and accents. */
  texts: readonly { title: string; id: string }[];
}

const WITHOUT_IDS = new Set(['pages', 'actions']);

/** Made once per change of the items, so that a search only compares. */
export function indexItems(unsorted: readonly SearchItem[]): SearchIndex {
  const { compare } = collator();
  const items = unsorted.toSorted((a, b) => compare(a.title, b.title));
  return {
    items,
    texts: items.map(({ category, title, id }) => ({
      title: plain(title),
      // The path of a page says nothing to people, nor does the name of an action.
      id: WITHOUT_IDS.has(category) ? '' : id.toLowerCase(),
    })),
  };
}

/**
 * The items that contain every word of the text in title or id; those whose title starts with the text come first,
 * then those with a word that does, then the others, each by title. No category chosen means all of them.
 */
export function searchItems(index: SearchIndex, text: string, categories: readonly string[]): SearchItem[] {
  const wanted = plain(text.trim());
  const words = wanted.split(/\s+/);
  const ranks: [SearchItem[], SearchItem[], SearchItem[]] = [[], [], []];
  if (wanted === '') return [];
  for (const [at, item] of index.items.entries()) {
    if (categories.length > 0 && !categories.includes(item.category)) continue;
    const compared = index.texts[at];
    if (!compared || !words.every((word) => compared.title.includes(word) || compared.id.includes(word)))
      continue;
    ranks[rankOf(compared.title, wanted)].push(item);
  }
  return ranks.flat();
}

function rankOf(title: string, wanted: string): 0 | 1 | 2 {
  const at = title.indexOf(wanted);
  if (at === 0) return 0;
  return at > 0 && /[\s,._/-]/.test(title[at - 1] ?? '') ? 1 : 2;
}
