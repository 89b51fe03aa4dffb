import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '../../src/settings/config.ts';

/** A folder that has what the image has, made by the steps of the Dockerfile. */
export type Image = {
  /** Folder with the files of / in the image. */
  root: string;
  workdir: string;
  environment: Readonly<Record<string, string>>;
  user: { uid: number; gid: number };
};

const STEP_LIMIT_MS = 1_800_000;

/** Whether .dockerignore of `context` lets a path, such as cli/main.ts, into the image. Knows only the forms that the file uses. */
export function entersImage(context: string, path: string): boolean {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n');
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (rules[0] !== '*') throw new Error('.dockerignore must begin with *, which leaves everything out');
  const parts = path.split('/');
  const is_let_in = rules.some((rule) => rule === `!${parts[0]}`);
  const is_left_out = rules
    .filter((rule) => rule.startsWith('**/'))
    .some((rule) => parts.some((part) => matches(part, rule.slice('**/'.length))));
  return is_let_in && !is_left_out;
}

function matches(name: string, pattern: string): boolean {
  const [start, end, ...others] = pattern.split('*');
  if (others.length > 0) throw new Error(`.dockerignore: ${pattern} has more than one *`);
  return end === undefined ? name === start : name.startsWith(start!) && name.endsWith(end);
}

/**
 * Runs the Dockerfile of `context` by hand, in folders below `folder`; if they are there, runs nothing. The images that it begins with are
 * this machine and this Node.
 */
export async function buildImage(context: string, folder: string): Promise<Image> {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  const is_built = existsSync(join(folder, 'image'));
  for (const [instruction, rest] of stepsOf(context)) {
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'image';
      image = emptyImage(join(folder, name));
      stages.set(name, image);
    } else if (!is_built || !['RUN', 'COPY'].includes(instruction))
      image = await step(image!, { instruction, rest, context, stages });
  }
  return image!;
}

/** [instruction, rest] of each step. */
function stepsOf(context: string): [string, string][] {
  const lines = readFileSync(join(context, 'Dockerfile'), 'utf8').split('\n');
  const text = lines.filter((line) => !line.startsWith('#')).join('\n');
  const steps = text.replaceAll(/\\\n\s*/g, '').split('\n');
  return steps
    .filter((line) => line !== '')
    .map((line) => [line.split(' ', 1)[0]!, line.replace(/^\S+ /, '')]);
}

function emptyImage(root: string): Image {
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  const node = join(root, 'usr/local/bin/node');
  if (!existsSync(node)) symlinkSync(process.execPath, node);
  // tmpdir() gives a folder to its owner alone.
  for (const path of [dirname(root), root]) chmodSync(path, 0o755);
  return { root, workdir: root, environment: {}, user: { uid: 0, gid: 0 } };
}

type Step = { instruction: string; rest: string; context: string; stages: ReadonlyMap<string, Image> };

async function step(image: Image, { instruction, rest, context, stages }: Step): Promise<Image> {
  const words = rest.split(' ');
  switch (instruction) {
    case 'WORKDIR': {
      const workdir = join(image.root, rest);
      mkdirSync(workdir, { recursive: true });
      return { ...image, workdir };
    }
    case 'ENV': {
      const [name, value] = rest.split('=');
      return { ...image, environment: { ...image.environment, [name!]: value! } };
    }
    case 'USER': {
      const [uid, gid] = rest.split(':').map(Number);
      return { ...image, user: { uid: uid!, gid: gid! } };
    }
    case 'COPY': {
      const stage = /^--from=(\w+)$/.exec(words[0]!)?.[1];
      if (stage !== undefined)
        cpSync(join(stages.get(stage)!.root, words[1]!), join(image.workdir, words[2]!), { recursive: true });
      else for (const path of words.slice(0, -1)) copy(context, path, image.workdir);
      return image;
    }
    case 'RUN':
      await runIn(image, rest);
      return image;
    default:
      throw new Error(`the Dockerfile has a step that this cannot run by hand: ${instruction} ${rest}`);
  }
}

function copy(context: string, path: string, workdir: string): void {
  cpSync(join(context, path), join(workdir, path), {
    recursive: true,
    filter: (source) => {
      const name = relative(context, source);
      return name === '' || (entersImage(context, name) && !lstatSync(source).isSocket());
    },
  });
}

/** Paths such as /app and /usr/local/bin are below the image's root. */
async function runIn({ root, workdir, environment }: Image, command: string): Promise<void> {
  const here = command.replaceAll(/(?<=^|\s)\/(?=app\b|usr\b)/g, `${root}/`);
  console.log(`  ${here.replaceAll(root, '')}`);
  const { PATH = '', HOME } = inheritedEnvironment();
  await promisify(execFile)('sh', ['-ec', here], {
    cwd: workdir,
    env: { PATH: `${join(root, 'usr/local/bin')}:${PATH}`, HOME, ...environment },
    timeout: STEP_LIMIT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
}
