import type { Permission } from '@albedo/contract/access/permissions';
import type { Screen } from '@albedo/contract/access/screens';
import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import type { FindingKind } from '@albedo/contract/diagnostics/diagnostics.names';
import type { Entity } from '@albedo/contract/entities/entities.schema';
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
  /** Screens of Admin > Access, Data, Workgroup and Entities: children of these areas, tabs where their `staticData` says `tab`. */
  accessRoutes?: readonly AnyRoute[];
  dataRoutes?: readonly AnyRoute[];
  workgroupRoutes?: readonly AnyRoute[];
  entityRoutes?: readonly AnyRoute[];
  parts?: { readonly [P in keyof Places]?: readonly Places[P][] };
  /** Has loaded what the guards must know before the first screen. */
  enter?: () => Promise<void>;
  /** Leaves the workgroup for another one. */
  openWorkgroup?: (router: AnyRouter, workgroup: string) => Promise<void>;
  /** Where a bare address leads, such as that of an area without a first tab of its own; null for one that is none. */
  leadOn?: (path: string) => string | null;
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
  /** What can be done from anywhere: by the global search, and by keys. */
  commands: CommandSource;
  /** Around every screen behind sign-in. */
  frame: Part<{ children?: ReactNode }>;
  /** The top bar: the search, and between connection and help. */
  searchField: Part;
  /** `isWide`: left out on a phone, where the left menu leads to it. */
  topBar: Part & { isWide?: boolean };
  /** Draws around every screen what opens by itself, or nothing at all and only listens. */
  background: Part;
  /** What the help menu opens: the documentation beside the screen, and the form that asks for support. */
  documentation: Part<{ onClose: () => void }>;
  support: Part<{ onClose: () => void }>;
  /** What a screen with a display link shows. */
  display: Part;
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
  device: DeviceTab;
  /** How somebody proves who they are, in the profile. */
  profileSecurity: Part<{ profile: UserProfile }>;
  /** Above the tabs of a device, whichever is shown. */
  deviceTop: Part<{ device: Device }>;
  /** Above the list of devices, and across the top of a device's first tab. */
  devicesHead: AskingPart;
  deviceHead: Part<{ device: Device }>;
  /** The wide column of a device's first tab, and the narrow one. */
  deviceMain: Part<{ device: Device }>;
  deviceAside: Part<{ device: Device }>;
  /** The page of a device group. */
  deviceGroup: Part<{ group: DeviceGroup }>;
  /** Beside the tree of entities: what can be done with the one that is chosen, and cards about it. */
  entityActions: Part<{ entity: Entity }>;
  entityAside: Part<{ entity: Entity }>;
  /** What holds for everybody in the workgroup. */
  workgroupSettings: Part;
  /** What a camera saw last, and what it can be told. */
  camera: Part<CameraOf>;
  /** How the diagnostics of a workgroup describe each kind of finding; the cloud announces the same kinds. */
  findings: { at: number; load: () => Promise<{ findings: readonly FindingWords[] }> };
  /** Below the access-control rules. */
  accessControl: Part<{ onChanged: () => void }>;
}

/** The texts for one kind of finding, as keys of the language file, and the link to it. */
export interface FindingWords {
  kind: FindingKind;
  /** Its name in the list of checks without findings: `Gaps in the data`. */
  name: string;
  /** How many there are, by `count`; `number` is the formatted count. */
  title: string;
  /** What to do about it. */
  advice: string;
  /** How many a single example stands for, with the same variables. */
  amount?: string;
  /** The page that lists all of them, and the text of the link. */
  to?: string;
  go?: string;
  /** The tab to open on the device of an example. */
  tab?: string;
}

/** A camera of a device, and how it is shown. */
export interface CameraOf {
  wg: string;
  device: string;
  source: string;
  /** IANA name of the time zone in which times stand. */
  zone: string;
  /** Nothing can be pressed, as in an editor. */
  isStill?: boolean;
  /** Nobody sees it now, so that it asks for nothing. */
  isHidden?: boolean;
}

export interface Part<P = object> {
  at: number;
  Content: ComponentType<P>;
}

export interface AskingPart extends Part {
  /** Asks the server for what it shows, beside the files of the screen. */
  ask: (wg: string) => Promise<unknown>;
}

export interface Tab<P = object> extends Part<P> {
  /** As it stands in the address. */
  id: string;
  /** Keys of the language file. */
  title: string;
  context?: string;
}

/** A tab of a device; without the right it is not there. */
export interface DeviceTab extends Tab<{ device: Device }> {
  /** A permission, or the right to run commands. */
  right?: Permission | 'commands';
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
  /** Keys that open it, one after the other, such as `g d`. */
  keys?: string;
  /** What needs attention there; null for nothing. A hook, the same one on every render. */
  useBadge?: () => MenuBadge | null;
}

/** A line of the menu itself; one without an address opens what others announce `under` its title. */
export interface MenuTop extends Omit<MenuLink, 'to' | 'group'> {
  to?: string;
  Icon: TablerIcon;
  /** What stands below these, after a divider: things of the workgroup by their names. A hook, the same one over time. */
  useMore?: () => readonly MenuMore[];
}

/** A count beside a line of the menu. */
export interface MenuBadge {
  text: string;
  /** What it counts, for people who cannot see where it stands. */
  title: string;
  /** It can wait, so the count is not red. */
  isQuiet?: true;
}

/** A thing of the workgroup in the menu. */
export interface MenuMore {
  /** Address. */
  to: string;
  name: string;
  /** Key of the header above it, and above those that follow with the same one. */
  group: string;
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
  /** How the thing is now, beside its name. */
  Detail?: ComponentType<{ id: string }>;
}

export interface CommandSource {
  at: number;
  /** What can be done now, on this screen and by this person. A hook; it must be the same one each time. */
  useCommands: () => readonly Command[];
}

/** Something that can be done from anywhere. */
export interface Command {
  /** Name in the code, of its own among all commands. */
  id: string;
  /** As people read it, in their language: what it does. */
  title: string;
  /** Where the list of all keys shows it: ways to screens, actions, and what moves in a list. */
  group: 'go' | 'do' | 'list';
  /** Keys that do it outside of fields, one after the other, such as `g d`. */
  keys?: string;
  /** The search does not offer it: only the keys do it. */
  isOnlyKeys?: boolean;
  run: () => void;
}
