import { z } from 'zod';
import { anyone, can, member, staff } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup, theme, workgroup } from '../workgroups/workgroups.schema.ts';
import { BRAND_IMAGE_BYTES } from './brand-images.ts';
import { brand, hostBrand, onHost, onHostImage, onHostKind } from './branding.schema.ts';

const image = {
  consumes: 'multipart/form-data',
  files: { count: 1, fileBytes: BRAND_IMAGE_BYTES, totalBytes: BRAND_IMAGE_BYTES },
  ratePerMinute: 30,
} as const;
const brands = { 200: z.array(hostBrand) };

export const brandingApi = {
  ofHost: {
    method: 'GET',
    url: '/branding',
    access: anyone,
    summary: 'How the product looks at the host name of the request.',
    schema: { response: { 200: brand } },
  },
  imageOfHost: {
    method: 'GET',
    url: '/branding/:kind',
    access: anyone,
    summary: 'The logo or the favicon of the host name of the request.',
    schema: { params: onHostKind },
    produces: 'image/*',
  },
  setLogo: {
    method: 'PUT',
    url: '/orgs/:wg/logo',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Gives the workgroup a logo: PNG, JPEG, WebP, GIF or SVG of at most 500 KB.',
    schema: { params: inWorkgroup, response: { 200: workgroup } },
    ...image,
  },
  logo: {
    method: 'GET',
    url: '/orgs/:wg/logo',
    access: member,
    summary: 'The logo of the workgroup.',
    schema: { params: inWorkgroup },
    produces: 'image/*',
  },
  removeLogo: {
    method: 'DELETE',
    url: '/orgs/:wg/logo',
    access: { ...can('coordinate'), unbound: true },
    summary: 'Takes the logo of the workgroup away; that of the host shows again.',
    schema: { params: inWorkgroup, response: { 200: workgroup } },
  },
  setFavicon: {
    method: 'PUT',
    url: '/orgs/:wg/favicon',
    access: { ...can('coordinate'), unbound: true },
    summary:
      "Gives the workgroup an icon for the browser's tab: PNG, JPEG, WebP, GIF or SVG of at most 500 KB.",
    schema: { params: inWorkgroup, response: { 200: workgroup } },
    ...image,
  },
  favicon: {
    method: 'GET',
    url: '/orgs/:wg/favicon',
    access: member,
    summary: "The icon of the workgroup for the browser's tab.",
    schema: { params: inWorkgroup },
    produces: 'image/*',
  },
  removeFavicon: {
    method: 'DELETE',
    url: '/orgs/:wg/favicon',
    access: { ...can('coordinate'), unbound: true },
    summary: "Takes the workgroup's icon away; that of the host shows again.",
    schema: { params: inWorkgroup, response: { 200: workgroup } },
  },
  hosts: {
    method: 'GET',
    url: '/opsteam/brands',
    access: staff,
    summary: 'The host names that look different from the product, by name.',
    schema: { response: brands },
  },
  setHost: {
    method: 'PUT',
    url: '/opsteam/brands/:host',
    access: staff,
    summary: 'Says how the product looks at a host name.',
    example: { body: { theme: {} } },
    schema: { params: onHost, body: z.object({ theme }), response: brands },
  },
  removeHost: {
    method: 'DELETE',
    url: '/opsteam/brands/:host',
    access: staff,
    summary: 'The product looks at the host name as it comes.',
    schema: { params: onHost, response: brands },
  },
  hostImage: {
    method: 'GET',
    url: '/opsteam/brands/:host/:kind',
    access: staff,
    summary: 'The logo or the favicon of a host name.',
    schema: { params: onHostImage },
    produces: 'image/*',
  },
  setHostImage: {
    method: 'PUT',
    url: '/opsteam/brands/:host/:kind',
    access: staff,
    summary: 'Gives a host name its logo or its favicon.',
    schema: { params: onHostImage, response: brands },
    ...image,
  },
  removeHostImage: {
    method: 'DELETE',
    url: '/opsteam/brands/:host/:kind',
    access: staff,
    summary: 'Takes the logo or the favicon of a host name away.',
    schema: { params: onHostImage, response: brands },
  },
} as const satisfies Api;
