#!/usr/bin/env node
// The command `tidemark`: the command line in cli/main.ts, whose TypeScript tsx loads. It installs nothing and writes nothing.
import { register } from 'tsx/esm/api';

register();
await import('../cli/main.ts');
