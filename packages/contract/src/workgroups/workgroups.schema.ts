import { z } from 'zod';

/** Name of a workgroup as it stands in addresses and tokens; opaque, never shown as a title. */
export const workgroupName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'A workgroup name has small letters, digits, - and _.');

/** A colour as six hexadecimal digits. */
export const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'A colour has the form #b0c748');

/** How a workgroup looks; what is left out is as for the host. `title` is that of the browser's tab. */
export const theme = z
  .object({
    primary: colour,
    secondary: colour,
    accent: colour,
    text: colour,
    title: z.string().trim().max(80, 'A title has at most 80 characters.'),
    serviceName: z.string().trim().max(40, 'A service name has at most 40 characters.'),
  })
  .partial();
export type Theme = z.infer<typeof theme>;

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
  /** Settings by key, such as `defaultPage`. Source: specification 2, section 3. */
  settings: z.record(z.string(), z.unknown()),
});
export type Workgroup = z.infer<typeof workgroup>;

export const inWorkgroup = z.object({ wg: workgroupName });
