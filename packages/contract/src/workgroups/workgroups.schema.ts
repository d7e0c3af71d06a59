import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { isReservedName } from '../http/reserved-names.ts';
import { arch } from './archs.ts';

/** Name of a workgroup as it stands in addresses and tokens; opaque, never shown as a title. */
export const workgroupName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'A workgroup name can contain only lowercase letters, digits, - and _.',
  );

/** Of one that is made. */
export const newWorkgroupName = workgroupName.refine(
  (name) => !isReservedName(name),
  'This name is reserved.',
);

/** A colour as six hexadecimal digits. */
export const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour such as #b0c748');

/** How a workgroup looks; what is left out is as for the host. `title` is that of the browser's tab. */
export const theme = z
  .object({
    primary: colour,
    secondary: colour,
    accent: colour,
    text: colour,
    title: z
      .string()
      .trim()
      .max(80)
      .regex(...ONE_LINE),
    serviceName: z
      .string()
      .trim()
      .max(40)
      .regex(...ONE_LINE),
  })
  .partial();
export type Theme = z.infer<typeof theme>;

export const brandImageKind = z.enum(['logo', 'favicon']);
export type BrandImageKind = z.infer<typeof brandImageKind>;

/** Versions of the images there are, by kind: another one is another image. */
export const brandImages = z.object({ logo: z.string(), favicon: z.string() }).partial();
export type BrandImages = z.infer<typeof brandImages>;

/** Something a workgroup may do because the provider enabled it. */
export const addon = z.object({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/),
  name: z.string(),
  settings: z.record(z.string(), z.unknown()),
});
export type Addon = z.infer<typeof addon>;

export const workgroup = z.object({
  name: workgroupName,
  displayName: z.string(),
  theme: theme.nullable(),
  /** The identity provider of the workgroup; null where it has none. */
  idpId: z.string().nullable(),
  addons: z.array(addon),
  /** Settings by key (`WORKGROUP_SETTINGS`). */
  settings: z.record(z.string(), z.unknown()),
  /** Processor kinds that its devices may have. */
  archs: z.array(arch).optional(),
  /** Versions of the images of the workgroup, by kind. */
  images: brandImages.optional(),
  /** True while the provider keeps everybody out. */
  isSuspended: z.boolean().optional(),
});
export type Workgroup = z.infer<typeof workgroup>;

export const workgroupChange = z
  .object({
    displayName: z
      .string()
      .trim()
      .min(1, 'Required')
      .max(120)
      .regex(...ONE_LINE),
    theme: theme.nullable(),
  })
  .partial()
  .refine(({ displayName, theme: looks }) => displayName !== undefined || looks !== undefined, {
    message: 'Specify what to change: displayName or theme.',
  });
export type WorkgroupChange = z.infer<typeof workgroupChange>;

/** Whether members of a new workgroup must have a second factor; left out, the server's configuration says. */
export const newWorkgroupMfa = z.boolean().optional();

export const settingValue = z.object({ value: z.unknown() });

export const inWorkgroup = z.object({ wg: workgroupName });
