import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { inStepSpan } from '../src/telemetry/trace-workflow.ts';

/** Runs each activity in a span. */
export function traceSteps({ info }: Context): ActivityInterceptors {
  const { activityType: name, attempt, workflowExecution } = info;
  const { workflowId: workflow_id = '', runId: run_id = '' } = workflowExecution ?? {};
  return {
    inbound: {
      execute: (input, next) => inStepSpan({ name, workflow_id, run_id, attempt }, () => next(input)),
    },
  };
}
