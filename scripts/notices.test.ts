import { expect, test } from 'vitest';
import { makeNotices, PRODUCT } from './notices.ts';

const LINE = `${'-'.repeat(80)}\n`;

const namesIn = (sbom: string): string[] =>
  JSON.parse(sbom).components.map(({ name }: { name: string }) => name);

test('what the agent ships of others is named with its licence and the text of it, and listed in CycloneDX', async () => {
  const { text, sbom } = await makeNotices(['apps/agent']);
  expect(text).toMatch(/^mqtt \d+\.\d+\.\d+ \(MIT\)$/m);
  expect(text).toMatch(/^yaml \d+\.\d+\.\d+ \(ISC\)$/m);
  expect(text).toContain('Permission is hereby granted, free of charge');
  expect(text).not.toContain('@albedo/');
  // What only tests and builds need is not shipped.
  expect(text).not.toMatch(/^(vitest|aedes|rolldown) /m);
  const names = namesIn(sbom);
  expect(names).toEqual(expect.arrayContaining(['@albedo/agent', '@albedo/contract', 'mqtt', 'yaml', 'zod']));
  expect(names).not.toContain('@albedo/device-link');
  const { bomFormat, serialNumber, metadata } = JSON.parse(sbom);
  expect(bomFormat).toBe('CycloneDX');
  // The same lock gives the same files.
  expect([serialNumber, metadata.timestamp]).toEqual([undefined, undefined]);
}, 120_000);

test('everything in the product has the text of a licence, parts for other platforms and Node included', async () => {
  const { text, sbom } = await makeNotices(PRODUCT);
  const blocks = text.split(LINE).slice(1);
  const bare = blocks.filter((block) => block.split('\n\n').slice(1).join('').trim().length < 100);
  expect(bare).toEqual([]);
  for (const name of namesIn(sbom).filter((one) => !one.startsWith('@albedo/'))) {
    expect(text).toContain(`\n${name} `);
  }
  expect(blocks.find((block) => block.includes('@node-rs/argon2-win32-x64-msvc '))).toContain('MIT License');
  expect(blocks.find((block) => block.includes('\nnode-linux-x64 '))).toContain('Node.js contributors');
  // Says MIT and brings no text.
  expect(blocks.find((block) => block.startsWith('pg-types '))).toContain('Copyright (c) Brian M. Carlson');
  expect(namesIn(sbom)).toEqual(
    expect.arrayContaining(['fastify', '@electric-sql/pglite', 'react', 'suncalc']),
  );
}, 120_000);
