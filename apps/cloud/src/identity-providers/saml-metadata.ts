import { X509Certificate } from 'node:crypto';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import type { SamlConfig } from '../database/identity-providers.tables.ts';
import { AppError } from '../errors/app-error.ts';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/**
 * What the metadata of an identity provider says. Throws `sso.metadata_invalid` with what is wrong.
 *
 * `allowPlain` lets the sign-on address be http, for machines that are reached by a loopback address.
 */
export function readSamlMetadata(
  xml: string,
  { allowPlain = false }: { allowPlain?: boolean } = {},
): Pick<SamlConfig, 'entityId' | 'signOnUrl' | 'certificates'> {
  const root = parse(xml).documentElement;
  if (!root) refuse('it is empty.');
  const found = [root, ...all(root, METADATA, 'EntityDescriptor')].filter(
    (one) => one.localName === 'EntityDescriptor' && all(one, METADATA, 'IDPSSODescriptor').length > 0,
  );
  const [entity] = found;
  if (!entity && all(root, METADATA, 'SPSSODescriptor').length > 0)
    refuse('it describes a service provider, perhaps this one. Enter that of your identity provider.');
  if (!entity) refuse('it describes no identity provider (IDPSSODescriptor).');
  if (found.length > 1) refuse('it describes several identity providers; upload the part of one.');
  const [descriptor] = all(entity, METADATA, 'IDPSSODescriptor');
  demandValid([root, entity, descriptor as Element]);
  const entityId = entity.getAttribute('entityID')?.trim();
  if (!entityId) refuse('it has no entityID.');
  const certificates = certificatesOf(descriptor as Element);
  return { entityId, signOnUrl: signOnUrlOf(descriptor as Element, allowPlain), certificates };
}

function demandValid(elements: Element[]): void {
  for (const element of elements) {
    const until = Date.parse(element.getAttribute('validUntil') ?? '');
    if (until <= Date.now())
      refuse(
        `it was valid until ${new Date(until).toISOString()}. Download it anew from your identity provider.`,
      );
  }
}

function parse(xml: string): Document {
  if (/^\s*(<!DOCTYPE html|<html)/i.test(xml))
    refuse('it is a web page. Enter the address of the metadata itself, or download the file there.');
  if (/^\s*\{/.test(xml))
    refuse('it is not XML but JSON. If it is that of OpenID Connect, choose OpenID Connect above.');
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) refuse('it has a document type, which is not accepted.');
  try {
    return new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    }).parseFromString(xml.trim(), 'text/xml');
  } catch {
    return refuse('it is not XML. Upload the file as your identity provider made it.');
  }
}

function signOnUrlOf(descriptor: Element, allowPlain: boolean): string {
  const services = all(descriptor, METADATA, 'SingleSignOnService');
  const service = services.find((one) => one.getAttribute('Binding') === REDIRECT);
  const address = service?.getAttribute('Location')?.trim() ?? '';
  if (!service) refuse('it has no SingleSignOnService with the binding HTTP-Redirect.');
  if (!URL.canParse(address)) refuse('the address of its SingleSignOnService is not one.');
  const { protocol } = new URL(address);
  if (protocol !== 'https:' && !(allowPlain && protocol === 'http:'))
    refuse('the address of its SingleSignOnService must begin with https://.');
  return address;
}

/** PEM of those that sign, of the kind that the library knows; one without use does both. */
function certificatesOf(descriptor: Element): string[] {
  const signing = all(descriptor, METADATA, 'KeyDescriptor').filter(
    (one) => one.getAttribute('use') !== 'encryption',
  );
  const texts = signing.flatMap((one) => all(one, SIGNATURE, 'X509Certificate'));
  if (texts.length === 0) refuse('it has no certificate to check signatures with.');
  const certificates = texts.map((one) => {
    const base64 = (one.textContent ?? '').replace(/\s+/g, '');
    try {
      return new X509Certificate(Buffer.from(base64, 'base64'));
    } catch {
      return refuse('a certificate in it cannot be read.');
    }
  });
  const ofRsa = certificates.filter(({ publicKey }) => publicKey.asymmetricKeyType === 'rsa');
  if (ofRsa.length === 0)
    refuse(
      `its signing certificate has a key of the kind ${certificates[0]?.publicKey.asymmetricKeyType}, of which signatures are not understood. Let it sign with an RSA key.`,
    );
  return [...new Set(ofRsa.map(String))];
}

const all = (of: Element, namespace: string, name: string): Element[] => [
  ...of.getElementsByTagNameNS(namespace, name),
];

function refuse(what: string): never {
  throw new AppError('sso.metadata_invalid', { what });
}
