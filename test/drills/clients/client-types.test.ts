import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { aFolder } from '../../support/servers/folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const GENERATOR = join(ROOT, 'node_modules/.bin/openapi-typescript');
const COMPILER = join(ROOT, 'node_modules/.bin/tsc');

/** Code of a user of the generated types: it does not compile if a field has another name or type. */
const CLIENT = `import type { components, operations } from './schema.ts';
type Invoice = components['schemas']['Invoice'];
type NewCustomer = operations['createCustomer']['requestBody']['content']['application/json'];
type Refusal = operations['getInvoice']['responses'][404]['content']['application/json'];
export const customer: NewCustomer = { external_id: 'acme', tax_rate: '20', name: null };
export const totalOf = ({ total }: Invoice): string => total;
export const codeOf = ({ error }: Refusal): 'not_found' | null => (error.code === 'not_found' ? error.code : null);
`;

describe('a client in TypeScript', () => {
  it('is compiled against the types that openapi-typescript makes of docs/openapi.json', async function () {
    this.timeout(180_000);
    const folder = await aFolder();
    const run = promisify(execFile);
    await run(GENERATOR, [join(ROOT, 'docs/openapi.json'), '-o', join(folder, 'schema.ts')], { cwd: folder });
    writeFileSync(join(folder, 'client.ts'), CLIENT);
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
    const compiled = run(COMPILER, [...options, '--allowImportingTsExtensions', 'client.ts'], {
      cwd: folder,
    });
    const { stdout } = await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }));
    assert.equal(stdout, '');
  });
});
