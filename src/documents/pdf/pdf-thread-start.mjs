// The first file of the thread: Node 20 does not hand the TypeScript loader of a process on to its threads. Newer Node
// reads TypeScript itself.
if (!process.features.typescript) (await import('tsx/esm/api')).register();
await import('./pdf-thread-main.ts');
