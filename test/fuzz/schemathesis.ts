import { join } from 'node:path';
import { findPythonPackage } from '../support/python.ts';

/** The path of the tester. */
export async function findSchemathesis(): Promise<string> {
  return join(await findPythonPackage('schemathesis', '4.32.5'), 'schemathesis');
}
