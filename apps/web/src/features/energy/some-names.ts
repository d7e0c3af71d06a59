import i18next from 'i18next';

/** Names that are said one by one; of more, how many there are. */
const MOST = 4;

/** `Hilltop, Harbour, Mill and 12 more`. */
export function someNames(names: readonly string[]): string {
  const more = names.length - MOST;
  const said = names.slice(0, MOST).join(', ');
  return more > 0 ? i18next.t('energy.andMore', { names: said, count: more }) : said;
}
