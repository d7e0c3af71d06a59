import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const tunnelsErrors = {
  'tunnel.not_found': { status: 404, text: 'There is no such tunnel.' },
  'tunnel.over': { status: 410, text: 'This tunnel is over. Open another one.' },
  'tunnel.link_used': {
    status: 410,
    text: 'This link does not hold any more: it is good once. Open the page again from the device, under Tunnels.',
  },
  'tunnel.too_many': {
    status: 409,
    text: 'A device can have up to {count} tunnels, and each up to {connections} connections at a time. Close one first.',
  },
  'tunnel.no_web_host': {
    status: 409,
    text: 'Pages of devices need a host name of their own, which the operator sets with ALBEDO_REMOTE_WEB_HOST.',
  },
} as const satisfies ErrorCatalog;

export const tunnelsIssues = {
  'issue.tunnel_host': 'A name or an address, such as 192.168.1.20.',
} as const satisfies IssueCatalog;
