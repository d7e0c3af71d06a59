import type { Access, Rule } from './access.ts';
import type { AddonId } from './addons.ts';

/** An endpoint by its method and the `url` of its declaration. */
export type EndpointKey = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/**
 * Who may open a screen, in the words of endpoints: `who`, `unbound`, `addon` and `rule`. Nothing is opened by being
 * fresh; what a screen sends asks for that itself. Source: specification 1, sections 2 and 6.
 */
export interface Screen extends Pick<Access, 'who' | 'unbound'> {
  /** All of them are needed; the first one is named to those who lack any. */
  readonly addon?: AddonId | readonly [AddonId, ...AddonId[]];
  readonly rule?: Rule & { readonly on: 'all' };
  /** All of these settings of the workgroup have to be on. */
  readonly settings?: readonly string[];
  /** Of those whom it is for, provider staff alone. */
  readonly onlyStaff?: true;
  /** Flag D of the specification: open to dashboard-only users. */
  readonly dashboardOnly?: true;
  /** Flag R of the specification: open to restricted read-only users. */
  readonly restricted?: true;
  /**
   * The endpoints without which the screen is of no use: what it shows first, and what a form saves. A test compares:
   * whoever may open the screen may call them.
   */
  readonly needs?: readonly [EndpointKey, ...EndpointKey[]];
}

/** Screens by their address, with `$name` where a parameter stands. */
export type Screens = Readonly<Record<`/${string}`, Screen>>;

/** The flags of a screen that no kind of user is kept from. */
export const forAll = { dashboardOnly: true, restricted: true } as const;
