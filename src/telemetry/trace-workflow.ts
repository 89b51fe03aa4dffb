import { inSpan, tracing } from './tracing.ts';

type Signaled = { signaledRunId: string };

/**
 * Sends a signal in a span, if the caller is in one, and links it to the trace of the run that got the signal. Workflow
 * code has no spans: the ids alone join the request with the steps of the run.
 */
export async function inSignalSpan(
  target: { workflow_id: string; signal: string },
  send: () => Promise<Signaled>,
): Promise<void> {
  const traces = tracing();
  if (traces === null || traces.current() === null) return void (await send());
  const { workflow_id, signal } = target;
  await traces.start(
    { name: `signal ${signal}`, kind: 'client', attributes: { workflow_id } },
    async (span) => {
      try {
        const { signaledRunId: run_id } = await send();
        span.set({ run_id });
        span.addLink(traces.linkOf(run_id));
      } catch (error) {
        span.fail(error);
        throw error;
      } finally {
        span.end();
      }
    },
  );
}

/** Runs a step of a workflow in a span. The steps of one run share a trace, whose id is made from the id of the run. */
export function inStepSpan<Result>(
  step: { name: string; workflow_id: string; run_id: string; attempt: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const { name, workflow_id, run_id, attempt } = step;
  return inSpan(
    { name: `step ${name}`, trace_of: run_id, attributes: { workflow_id, run_id, attempt } },
    work,
  );
}
