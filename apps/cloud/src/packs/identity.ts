import { PRODUCT } from '@albedo/contract/product';

/** Who a device is, and where it reaches the cloud. */
export interface IdentityRequest {
  caPem: string;
  certPem: string;
  keyPem: string;
  /** Host and port of the device link as the device calls it. */
  mqtt: { hostname: string; port: number };
  /** Whose plugins it runs: the root of their publisher. */
  pluginsRoot?: string | null;
}

export interface IdentityFile {
  name: string;
  content: string;
  mode: number;
}

/** Configuration and keys of one device, by path below `/`. */
export function identityFiles(request: IdentityRequest): IdentityFile[] {
  const etc = `etc/${PRODUCT}`;
  const settings = `# Written by the cloud when this pack was made. Paths lie below the root prefix of the agent.
mqtt:
  hostname: ${JSON.stringify(request.mqtt.hostname)}
  port: ${request.mqtt.port}
  cacertfile: /${etc}/keys/ca-chain.crt
  certfile: /${etc}/keys/client.crt
  keyfile: /${etc}/keys/client.key
`;
  return [
    { name: `${etc}/${PRODUCT}.yaml`, content: settings, mode: 0o644 },
    { name: `${etc}/keys/ca-chain.crt`, content: request.caPem, mode: 0o644 },
    { name: `${etc}/keys/client.crt`, content: request.certPem, mode: 0o644 },
    { name: `${etc}/keys/client.key`, content: request.keyPem, mode: 0o600 },
    ...(request.pluginsRoot
      ? [{ name: `${etc}/keys/plugins-root.json`, content: request.pluginsRoot, mode: 0o644 }]
      : []),
  ];
}
