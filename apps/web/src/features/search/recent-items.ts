export interface RecentItem {
  category: string;
  id: string;
}

/** How many opened results are offered again. Source: specification 1, section 9. */
const KEPT = 3;

const keyOf = (user: string, workgroup: string): string => `albedo.recent.${user}.${workgroup}`;

/** What this person opened last through the search in this workgroup, newest first. */
export function recentItems(user: string, workgroup: string): RecentItem[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(user, workgroup)) ?? '[]');
    return Array.isArray(kept) ? kept.slice(0, KEPT) : [];
  } catch {
    // Anything unreadable, left by a person or an older version, counts as an empty list.
    return [];
  }
}

export function rememberItem(user: string, workgroup: string, { category, id }: RecentItem): void {
  const others = recentItems(user, workgroup).filter((one) => one.category !== category || one.id !== id);
  const kept = [{ category, id }, ...others].slice(0, KEPT);
  localStorage.setItem(keyOf(user, workgroup), JSON.stringify(kept));
}
