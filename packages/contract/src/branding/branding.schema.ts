import { z } from 'zod';
import { brandImageKind, brandImages, theme } from '../workgroups/workgroups.schema.ts';

/** How the product looks at one host name. What is left out is as the product comes. */
export const brand = z.object({ theme, images: brandImages });
export type Brand = z.infer<typeof brand>;

/** A host name in small letters, without a port. */
export const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'Enter a host name such as energy.example.org');

export const hostBrand = brand.extend({ host: hostName });
export type HostBrand = z.infer<typeof hostBrand>;

export const onHostKind = z.object({ kind: brandImageKind });
export const onHost = z.object({ host: hostName });
export const onHostImage = onHost.extend({ kind: brandImageKind });
