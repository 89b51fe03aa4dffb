import { execFile, spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '../../dev/temporal-binary.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT_BYTES_MAX = 100_000_000;

/** Whether a JDK or Maven is not installed. */
export function isJavaMissing(): boolean {
  return ['javac', 'mvn'].some((command) => spawnSync(command, ['-version']).status !== 0);
}

/** The verdict of the validator about a file: `valid`, or the rules that it breaks. */
export type Verdict = { file: string; is_valid: boolean; text: string };

/** The verdict on each .xml file of a folder. The first call lets Maven fetch the libraries of pom.xml into the user's cache. */
export async function verdictsOn(folder: string): Promise<Verdict[]> {
  const program = join(FOLDER, 'Validate.java');
  const { stdout } = await run('java', ['-cp', join(await libraries(), '*'), program, folder], {
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return [...stdout.matchAll(/^(valid|invalid) (.+?\.xml)(.*)$/gm)].map(([, verdict, file, text]) => ({
    file: file!,
    is_valid: verdict === 'valid',
    text: text!,
  }));
}

async function libraries(): Promise<string> {
  const folder = cacheFolder('e-invoice-validator-4.3.7');
  if (existsSync(folder)) return folder;
  console.log(`Fetching the validator of EN 16931 into ${folder} ...`);
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
  // Complete or not there, whatever interrupts Maven.
  const unfinished = `${folder}.${process.pid}`;
  await run('mvn', ['-q', '-f', join(FOLDER, 'pom.xml'), copy, `-DoutputDirectory=${unfinished}`]);
  renameSync(unfinished, folder);
  return folder;
}
