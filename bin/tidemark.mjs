#!/usr/bin/env node
// The command `tidemark`: the command line in cli/main.ts. It installs nothing and writes nothing. Node before 22.18 needs tsx to
// read TypeScript.
if (!process.features.typescript) (await import('tsx/esm/api')).register();
await import('../cli/main.ts');
