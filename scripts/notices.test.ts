import { expect, test } from 'vitest';
import { makeNotices } from './notices.ts';

test('what the agent ships of others is named with its licence and the text of it, and listed in CycloneDX', async () => {
  const { text, sbom } = await makeNotices(['apps/agent']);
  expect(text).toMatch(/^mqtt \d+\.\d+\.\d+ \(MIT\)$/m);
  expect(text).toMatch(/^yaml \d+\.\d+\.\d+ \(ISC\)$/m);
  expect(text).toContain('Permission is hereby granted, free of charge');
  expect(text).not.toContain('@albedo/');
  // What only tests and builds need is not shipped.
  expect(text).not.toMatch(/^(vitest|aedes|rolldown) /m);
  const { bomFormat, components, serialNumber, metadata } = JSON.parse(sbom);
  expect(bomFormat).toBe('CycloneDX');
  expect(components.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['mqtt', 'yaml', 'zod']),
  );
  // The same lock gives the same files.
  expect([serialNumber, metadata.timestamp]).toEqual([undefined, undefined]);
}, 120_000);
