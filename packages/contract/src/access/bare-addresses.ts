/**
 * Addresses without a screen of their own, and the screen that each leads to as soon as that one exists. Source:
 * specification 1, section 2.
 */
export const bareAddresses: Readonly<Record<string, `/${string}`>> = {
  '/report': '/report/energy',
  '/admin/access': '/admin/access/users',
  '/admin/data': '/admin/data/tables',
  '/admin/entities': '/admin/entities/manage',
  '/admin/reports': '/admin/reports/daily-energy-config',
  '/admin/workgroup': '/admin/workgroup/settings',
};
