import { readFileSync } from 'node:fs';

const HEADINGS = {
  docker: '### On one machine, with Docker',
  kubernetes: '### On Kubernetes',
} as const;

/** The lines of the first shell block below a heading of docs/operations.md, as an operator copies them. */
export function linesToFirstInvoice(place: keyof typeof HEADINGS): string[] {
  const text = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split(`${HEADINGS[place]}\n`);
  const [, block = ''] = /```sh\n([^]*?)```/.exec(section) ?? [];
  return block.trimEnd().split('\n');
}
