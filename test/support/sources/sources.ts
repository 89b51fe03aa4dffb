import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

const ROOT = new URL('../../..', import.meta.url).pathname;
const FOLDERS = [
  ...['api', 'worker', 'activities', 'workflows', 'src', 'cli', 'dev', 'test', 'bench'],
  ...['web/src', 'sdk/typescript/src'],
];

/** Every file below a folder, as a path from the project's root. */
export function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = join(folder, name);
    return statSync(join(ROOT, path)).isDirectory() ? walk(path) : [path];
  });
}

export const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
export const exists = (path: string) => existsSync(join(ROOT, path));

/** SOURCES: all TypeScript files. PRODUCT: without tests and benchmarks. */
export const SOURCES = FOLDERS.flatMap(walk).filter((file) => /\.tsx?$/.test(file));
export const PRODUCT = SOURCES.filter((file) => !/^(?:test|bench)\//.test(file));
export const DOCUMENTS = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/README.md'],
  'sdk/typescript/README.md',
  ...walk('docs').filter((file) => file.endsWith('.md')),
];

/** The comments of a TypeScript file, each on one line. */
export function commentsOf(file: string): string[] {
  const text = textOf(file);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const before = ts.getLeadingCommentRanges(text, node.pos) ?? [];
    const after = ts.getTrailingCommentRanges(text, node.end) ?? [];
    for (const { pos, end } of [...before, ...after])
      found.set(pos, text.slice(pos, end).replaceAll(/\s+\*?\s*/g, ' '));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()];
}

export type Import = { file: string; target: string; type_only: boolean };

/** The imports of a file. Targets of our own are paths from the project's root, others are package names. */
export function importsOf(file: string): Import[] {
  const imports = textOf(file).matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?from\s+)?'([^']+)'/gm);
  return [...imports].map(([, type, specifier]) => ({
    file,
    target: specifier!.startsWith('.') ? normalize(join(dirname(file), specifier!)) : specifier!,
    type_only: type !== undefined,
  }));
}
