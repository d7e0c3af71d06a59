import { workgroupRequest } from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import { z } from 'zod';
import type { Country } from './countries.ts';

/** What somebody asks for a workgroup with, as typed: the website without its scheme, the phone without its prefix. */
export type RequestFields = Omit<z.input<typeof workgroupRequest>, 'country'>;

export const NO_FIELDS: RequestFields = {
  name: '',
  title: '',
  company: '',
  email: '',
  website: '',
  countryCode: '',
  phone: '',
  description: '',
};

/** Longest values, as the server takes them. */
export const MAX_LENGTHS: Readonly<Partial<Record<keyof RequestFields, number>>> = {
  name: 120,
  title: 120,
  company: 120,
  email: 254,
  website: 253,
  phone: 30,
  description: 5000,
};

/** An address that is missing is called so, not wrong. */
export const requestEmail = z.string().trim().min(1, 'Required').pipe(workgroupRequest.shape.email);

/** The contract's schema, of a request as it is typed. Source: specification 1, section 5. */
export const typedRequest = (countries: readonly Country[]) => {
  const countryOf = (code: string) => countries.find((country) => country.code === code);
  return workgroupRequest
    .omit({ country: true })
    .extend({
      email: requestEmail,
      countryCode: z.string().refine((code) => countryOf(code) !== undefined, 'Required'),
    })
    .transform((typed) => {
      const { name = '', dialCode = '' } = countryOf(typed.countryCode) ?? {};
      return { ...typed, country: name, phone: `${dialCode} ${typed.phone}` };
    });
};

/** A website as people paste it, without the scheme that stands before the field. */
export const withoutScheme = (website: string): string => website.replace(/^\s*https?:\/\//i, '');
