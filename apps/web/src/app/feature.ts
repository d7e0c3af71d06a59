import type { Screen } from '@albedo/contract/access/screens';
import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import type { TablerIcon } from '@tabler/icons-react';
import type { AnyRoute, AnyRouter } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import type { Denial } from './guard.ts';

/**
 * What a feature announces: the app knows it by this alone, and `features.ts` lists it. Pages that several features
 * share name their places here; what stands in a place is drawn by its `at`, tens, so that others fit between.
 */
export interface Feature {
  /** Screens that anybody can open; the feature stands in `public.ts` too then. */
  publicRoutes?: readonly AnyRoute[];
  /** Screens behind sign-in, children of `shell`. */
  routes?: readonly AnyRoute[];
  /** Tabs of Admin > Access and Admin > Workgroup: children of these areas whose `staticData` says `tab`. */
  accessRoutes?: readonly AnyRoute[];
  workgroupRoutes?: readonly AnyRoute[];
  parts?: { readonly [P in keyof Places]?: readonly Places[P][] };
  /** Has loaded what the guards must know before the first screen. */
  enter?: () => Promise<void>;
  /** Leaves the workgroup for another one. */
  openWorkgroup?: (router: AnyRouter, workgroup: string) => Promise<void>;
  /** Hears of failures of work that nobody started. */
  report?: (error: unknown, where: 'screen') => Promise<unknown>;
  /** A guard of its own for a screen of the workgroup, asked after all others; null lets them in. */
  denial?: (screen: Screen, workgroup: string) => Promise<Denial | null>;
}

/** The places that features fill, and what each of them takes. */
export interface Places {
  /** The left menu. */
  menu: MenuEntry;
  /** What the global search finds beside the pages. */
  palette: SearchSource;
  /** Around every screen behind sign-in. */
  frame: Part<{ children?: ReactNode }>;
  /** The top bar: the search, and between connection and help. */
  searchField: Part;
  topBar: Part;
  /** Draws around every screen what opens by itself, or nothing at all and only listens. */
  background: Part;
  /** What the help menu opens: the documentation beside the screen, and the form that asks for support. */
  documentation: Part<{ onClose: () => void }>;
  support: Part<{ onClose: () => void }>;
  /** The start page, signed in and not. */
  home: Part;
  welcome: Part;
  /** Sets up the second factor in the middle of a sign-in. */
  mfaWizard: Part<{ onDone: () => void; onExit: () => void; onExpired: (reason: string) => void }>;
  /** Tabs of the staff's area, of the profile and of a device. */
  opsteam: Tab;
  /** What the staff changes about one workgroup. */
  opsteamWorkgroup: Part<{ wg: string }>;
  profile: Tab<{ profile: UserProfile }>;
  device: Tab<{ device: Device }>;
  /** How somebody proves who they are, in the profile. */
  profileSecurity: Part<{ profile: UserProfile }>;
  /** The wide column of a device's first tab, and the narrow one. */
  deviceMain: Part<{ device: Device }>;
  deviceAside: Part<{ device: Device }>;
  /** The page of a device group. */
  deviceGroup: Part<{ group: DeviceGroup }>;
  /** What holds for everybody in the workgroup. */
  workgroupSettings: Part;
  /** Below the access-control rules. */
  accessControl: Part<{ onChanged: () => void }>;
}

export interface Part<P = object> {
  at: number;
  Content: ComponentType<P>;
}

export interface Tab<P = object> extends Part<P> {
  /** As it stands in the address. */
  id: string;
  /** Keys of the language file. */
  title: string;
  context?: string;
}

/**
 * The menu has flags of its own for the limited kinds of user, since it shows them less than they may open; all else
 * that it takes to see a line is declared with the screen of its address.
 */
export interface MenuLink extends Pick<Screen, 'dashboardOnly' | 'restricted'> {
  at: number;
  /** Key of the language file. */
  title: string;
  /** Address of the screen. The link shows once a route with this address, or one below it, has a screen. */
  to: string;
  /** Another address that belongs to it. */
  also?: string;
  /** At least one of these addons (`addon:`) or settings (`setting:`) has to be on. */
  anyOf?: readonly (`addon:${string}` | `setting:${string}`)[];
  /** Addon without which only provider staff see it. */
  staffOr?: string;
  /** Key of the header above it, and above those that follow with the same one. */
  group?: string;
}

/** A line of the menu itself; one without an address opens what others announce `under` its title. */
export interface MenuTop extends Omit<MenuLink, 'to' | 'group'> {
  to?: string;
  Icon: TablerIcon;
}

/** A line of the menu, or of what opens beside one. */
export type MenuEntry = MenuTop | (MenuLink & { under: string });

/** Things that the global search finds by name or id. */
export interface SearchSource {
  at: number;
  /** Names the texts `search.<category>` and `search.types.<category>`. */
  category: string;
  /** Must stay the same list as long as nothing in it changes; `error` says that it is missing. */
  useItems: () => { items: readonly { id: string; title: string }[]; error: Error | null };
  addressOf: (id: string) => string;
  /** Key of the text for copying an id; left out where copying is of no use. */
  copy?: string;
}
