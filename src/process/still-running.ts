/**
 * True if the work is still running after `after_ms` milliseconds; false as soon as it settles, resolved or rejected.
 */
export async function isStillRunning(work: Promise<unknown>, after_ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), after_ms);
  });
  const ended = work.then(
    () => false,
    () => false,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}
