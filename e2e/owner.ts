/** Who signs in, and where the product under test listens; `ALBEDO_E2E_PORT` moves both ports. */
export const OWNER = { email: 'owner@albedo.local', password: 'a plain journey password' } as const;

const http = Number(process.env.ALBEDO_E2E_PORT ?? 18_080);
export const PORTS = { http, mqtt: http + 803 } as const;
