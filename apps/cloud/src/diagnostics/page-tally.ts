import type { PageView } from '@albedo/contract/diagnostics/diagnostics.schema';
import type { Viewer } from './error-tally.ts';
import { OwnShare } from './own-share.ts';
import { pageName } from './page-name.ts';

/** How many different pages are counted for one person in a day. */
const PAGES_OF_ONE = 150;
/** The name under which further pages are counted. */
const OTHERS = '…';

export interface TalliedPage extends Viewer {
  day: number;
  page: string;
  visits: number;
  seconds: number;
}

/** Counts in memory which pages people look at, and for how long. */
export class PageTally {
  readonly #share = new OwnShare(PAGES_OF_ONE);
  #held = new Map<string, TalliedPage>();

  add({ workgroup, userId }: Viewer, view: PageView, at: number): void {
    const day = Math.floor(at / 86_400_000);
    const name = pageName(view.location, view.page);
    const page = this.#share.takes(userId, `${workgroup}\n${name}`, day) ? name : OTHERS;
    const key = [day, workgroup, userId, page].join('\n');
    const held = this.#held.get(key) ?? { day, workgroup, userId, page, visits: 0, seconds: 0 };
    if (view.seconds === undefined) held.visits++;
    else held.seconds += view.seconds;
    this.#held.set(key, held);
  }

  take(): TalliedPage[] {
    const taken = [...this.#held.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, page]) => page);
    this.#held = new Map();
    return taken;
  }
}
