/** What somebody asks for a workgroup with, as typed: the website without its scheme, the phone without its prefix. */
export interface RequestFields {
  name: string;
  title: string;
  company: string;
  email: string;
  website: string;
  countryCode: string;
  phone: string;
  description: string;
}

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

export type Problem = 'required' | 'email' | 'url';

/** What is wrong with a field, or null. Source: specification 1, section 5. */
export function problemOf(field: keyof RequestFields, value: string): Problem | null {
  const text = value.trim();
  if (text === '') return 'required';
  if (field === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return 'email';
  if (field === 'website' && !/^\S*\.\S*$/.test(text)) return 'url';
  return null;
}

/** A website as people paste it, without the scheme that stands before the field. */
export const withoutScheme = (website: string): string => website.replace(/^\s*https?:\/\//i, '');
