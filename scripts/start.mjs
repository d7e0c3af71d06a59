// Plain JavaScript, so that an old Node can say what is missing instead of failing at the first type.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major >= 24) {
  await import('./start.ts');
} else {
  process.stderr.write(
    `Albedo needs Node 24, and this is ${process.versions.node}. "npm ci" brings Node 24 with it; then use "npm start".\n`,
  );
  process.exit(1);
}
